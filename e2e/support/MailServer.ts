import type { AddressInfo } from 'node:net';

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** `takeAndHangUp`: the mail is in, the connection breaks before the server says so. */
export type MailBehaviour = 'take' | 'takeAndHangUp' | 'greylist' | 'refuse';

const REPLIES = { greylist: [451, 'Greylisted, come back later'], refuse: [550, 'No such mailbox'] } as const;

/** A mail server on loopback that counts what it was asked to take, and what it took, by recipient. */
export class MailServer {
	private readonly plans = new Map<string, MailBehaviour[]>();
	private readonly asked: string[] = [];
	private readonly took: string[] = [];
	private readonly server: SMTPServer;

	private constructor() {
		this.server = new SMTPServer({
			disabledCommands: ['AUTH', 'STARTTLS'],
			disableReverseLookup: true,
			onRcptTo: ({ address }, _session, done) => done(this.reply(address)),
			onData: (stream, session, done) => this.take(stream, session, done),
		});
		// A connection that a test cuts is no failure.
		this.server.on('error', () => undefined);
	}

	static async start(): Promise<MailServer> {
		const mail = new MailServer();
		await new Promise<void>((resolve) => mail.server.listen(0, '127.0.0.1', resolve));
		return mail;
	}

	get port(): number {
		return (this.server.server.address() as AddressInfo).port;
	}

	/** What happens to the next mails to an address; after those they are taken. */
	plan(address: string, ...behaviours: MailBehaviour[]): void {
		this.plans.set(address, behaviours);
	}

	tries(address: string): number {
		return this.asked.filter((one) => one === address).length;
	}

	taken(address: string): number {
		return this.took.filter((one) => one === address).length;
	}

	async stop(): Promise<void> {
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}

	private reply(address: string): Error | null {
		this.asked.push(address);
		const behaviour = this.plans.get(address)?.[0];
		if (behaviour !== 'greylist' && behaviour !== 'refuse') return null;
		this.plans.get(address)?.shift();
		const [responseCode, text] = REPLIES[behaviour];
		return Object.assign(new Error(text), { responseCode });
	}

	private take(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error | null) => void): void {
		stream.resume().on('end', () => {
			const [{ address }] = session.envelope.rcptTo;
			this.took.push(address);
			if (this.plans.get(address)?.shift() === 'takeAndHangUp') return this.hangUp(session);
			done();
		});
	}

	private hangUp({ id }: SMTPServerSession): void {
		const connections = this.server.connections as unknown as Set<{ id: string; _socket: { destroy(): void } }>;
		for (const connection of connections) if (connection.id === id) connection._socket.destroy();
	}
}
