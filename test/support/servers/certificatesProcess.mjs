// Makes a certificate authority and three certificates in the folder named as argument.
// A process of its own: inside Jest the library doesn't find Node's crypto and takes seconds per key.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createCA, createCert } from 'mkcert';

const validity = 2; // days
const subject = { organization: 'ledger tests', countryCode: 'XX', state: 'none', locality: 'none' };
const authority = await createCA({ ...subject, validity });
const certificates = {
	server: ['127.0.0.1', 'localhost'],
	client: ['ledger'],
	otherHost: ['ledger.example'],
};
for (const [name, domains] of Object.entries(certificates)) {
	const { cert, key } = await createCert({ domains, validity, ca: authority });
	const place = join(process.argv[2], name);
	mkdirSync(place);
	writeFileSync(join(place, 'certificate.pem'), cert);
	writeFileSync(join(place, 'key.pem'), key, { mode: 0o600 });
	writeFileSync(join(place, 'ca.pem'), authority.cert);
}
