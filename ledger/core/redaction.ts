/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** In lower case without separators: a secret field's name ends so (`client_secret`), or, for the short ones, is that. */
const SECRET_NAMES = [
	'auth', 'authorization', 'cookie', 'cookies', 'token', 'tokens', 'secret', 'secrets', 'password', 'passwords', 'passwd', 'pwd', 'pass',
	'passphrase', 'apikey', 'apikeys', 'accesskey', 'secretkey', 'secretaccesskey', 'privatekey', 'signingkey', 'encryptionkey',
	'sessionid', 'credential', 'credentials', 'jwt', 'otp', 'cvv', 'cvc',
];
/** They end like a secret and are none: how a list goes on, and how much a model read. */
const NO_SECRETS = /(?:page|cursor|continuation|sync|delta|next)tokens?$|(?:max|prompt|completion|total|input|output|reasoning|cached)tokens$/;

/** Whether a field of this name usually holds a secret, however it's spelled: `X-Api-Key`, `api_key`, `apiKey`. */
export function isSecretName(name: string): boolean {
	const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
	if (NO_SECRETS.test(plain)) return false;
	return SECRET_NAMES.some((secret) => (secret.length > 4 ? plain.endsWith(secret) : plain === secret));
}

/**
 * A text without the secrets that error messages usually carry: credentials in addresses, secret query
 * parameters, headers, `name=value` and `"name": "value"` of secret names, and bearer tokens.
 */
export function redactText(text: string): string {
	return text
		.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${REDACTED}@`)
		.replace(/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`)
		.replace(/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, REDACTED)
		.replace(NAMED_VALUE, (all, name: string, separator: string, value: string) => {
			if (!isSecretName(name) || value.includes(REDACTED)) return all;
			return `${name}${separator}${value.startsWith('"') ? `"${REDACTED}"` : REDACTED}`;
		});
}

/** `name=value`, `name: value`, `"name":"value"`, `name%3Dvalue`. */
const NAMED_VALUE = /([A-Za-z][\w.-]{1,63})("?\s*[=:]\s*|%3D)("(?:[^"\\]|\\.)*"?|(?:(?:bearer|basic)\s+)?[^\s&"',;)\]}]+)/gi;
