import type { INodeProperties } from 'n8n-workflow';

/** The TLS fields of one server; each store has its own, so that a value survives switching stores. */
export function tlsFields(store: 'postgres' | 'redis'): INodeProperties[] {
	const shown = { show: { store: [store], [`${store}Tls`]: [true] } };
	return [
		{
			displayName: 'TLS',
			name: `${store}Tls`,
			type: 'boolean',
			default: false,
			description: 'Whether to encrypt the connection to the server',
			displayOptions: { show: { store: [store] } },
		},
		{
			displayName: 'CA Certificate',
			name: `${store}CaCertificate`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Certificate of the authority that signed the server’s certificate, in PEM format',
			hint: 'Leave blank for a server with a publicly trusted certificate',
			displayOptions: shown,
		},
		{
			displayName: 'Client Certificate',
			name: `${store}ClientCertificate`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Certificate that identifies n8n to the server, in PEM format',
			hint: 'Only for servers that ask for one',
			displayOptions: shown,
		},
		{
			displayName: 'Client Private Key',
			name: `${store}ClientPrivateKey`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Private key that belongs to the client certificate, in PEM format',
			displayOptions: shown,
		},
		{
			displayName: 'Private Key Passphrase',
			name: `${store}PrivateKeyPassphrase`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Passphrase of the private key, if it has one',
			displayOptions: shown,
		},
		{
			displayName: 'Server Name',
			name: `${store}TlsServerName`,
			type: 'string',
			default: '',
			placeholder: 'e.g. db.example.com',
			description: 'Name to look for in the server’s certificate, if it is not the host',
			displayOptions: shown,
		},
		{
			displayName: 'Disable TLS Verification (Insecure)',
			name: `${store}DisableTlsVerification`,
			type: 'boolean',
			default: false,
			description: 'Whether to accept any certificate. Anybody in between can then read and change the ledger.',
			displayOptions: shown,
		},
	];
}
