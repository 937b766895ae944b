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
 * A text without the secrets that error messages usually carry: credentials in addresses; the value in
 * `name=value`, `name: value` and `"name":"value"` when the name is a secret's, so headers and query
 * parameters too; bearer and basic credentials, JWTs and keys of the usual shapes.
 * The time grows with the square of the length: shorten a long text first.
 */
export function redactText(text: string): string {
	return redactNamed(text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${REDACTED}@`))
		.replace(/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`)
		.replace(/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, REDACTED)
		.replace(/\b(?:[spr]k[-_]|gh[pousr]_|github_pat_|xox[a-z]-|AKIA|AIza)[A-Za-z0-9_-]{12,}/g, REDACTED);
}

const NAME = /((?:(?:api|access|private|secret) )?[A-Za-z][\w.-]{0,63})(?:["']?\s*[=:]\s*|%3D)/gi;
const VALUE = /(?:(?:bearer|basic|digest|token)\s+)?(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&"',;)}\]]+)/iy;

function redactNamed(text: string): string {
	let redacted = '';
	let done = 0;
	NAME.lastIndex = 0;
	for (let name = NAME.exec(text); name !== null; name = NAME.exec(text)) {
		if (!isSecretName(name[1])) continue;
		VALUE.lastIndex = NAME.lastIndex;
		const value = VALUE.exec(text)?.[0];
		if (value === undefined) continue;
		const quote = /^["']/.exec(value)?.[0] ?? '';
		redacted += text.slice(done, NAME.lastIndex) + quote + REDACTED + quote;
		done = NAME.lastIndex + value.length;
		NAME.lastIndex = done;
	}
	return redacted + text.slice(done);
}
