import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { temporaryFolder } from './temporaryFolder';

/** Paths of PEM files. */
export interface Certificate {
	certificate: string;
	key: string;
	/** The authority's certificate, which a peer has to trust. */
	ca: string;
}

export interface Certificates {
	/** For 127.0.0.1 and localhost. */
	server: Certificate;
	/** Of the same authority, to show to a server that asks for one. */
	client: Certificate;
	/** For another host name, of the same authority. */
	otherHost: Certificate;
	folder: string;
}

/** A certificate authority of the test's own and what it signed; removeFolder(folder) ends it. */
export function makeCertificates(): Certificates {
	const folder = temporaryFolder('certificates');
	const script = join(__dirname, 'certificatesProcess.mjs');
	const run = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
	if (run.status !== 0) throw new Error(`No certificates: ${run.stderr}`);
	const files = (name: string): Certificate => ({
		certificate: join(folder, name, 'certificate.pem'),
		key: join(folder, name, 'key.pem'),
		ca: join(folder, name, 'ca.pem'),
	});
	return { server: files('server'), client: files('client'), otherHost: files('otherHost'), folder };
}
