import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
} from 'n8n-workflow';

/** Decrypted credential data by credential id or name. */
export type CredentialMap = Record<string, ICredentialDataDecryptedObject>;

/** Hands out the data that the test gave; a credential that doesn't exist fails as it does in n8n. */
export class GivenCredentials extends ICredentialsHelper {
	constructor(private readonly given: CredentialMap) {
		super();
	}

	override async getDecrypted(_: unknown, details: INodeCredentialsDetails, type: string): Promise<ICredentialDataDecryptedObject> {
		const key = [details.id, details.name].find((name) => name !== null && Object.hasOwn(this.given, name));
		if (key === undefined || key === null) {
			throw new Error(`Credential with ID "${details.id}" does not exist for type "${type}".`);
		}
		return { ...this.given[key] };
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(_: unknown, __: unknown, options: unknown): Promise<IHttpRequestOptions> {
		return options as IHttpRequestOptions;
	}

	override async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async getCredentials(): Promise<ICredentials> {
		throw new Error('Tests have decrypted credentials only');
	}

	override async updateCredentials(): Promise<void> {}

	override async updateCredentialsOauthTokenData(): Promise<void> {}

	override getCredentialsProperties(): INodeProperties[] {
		return [];
	}
}
