import { join } from 'node:path';

import { chromium as playwright, type Browser, type Page } from 'playwright-core';

import { removeFolder, temporaryFolder } from '../../test/support/servers/temporaryFolder';
import { chromium } from './ensureChromium';
import { n8n } from './instance';

/** Crisp in a README, and small enough for a repository. */
const DEVICE_PIXELS = 1.5;
const WIDTH = 1400;
const HEIGHT = 800;

/** Root needs no sandbox; the rest keeps Chromium from calling home. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const LOADED_WITHIN_MS = 60_000;
/** The canvas zooms to fit, panels slide in. */
const SETTLED_AFTER_MS = 1_500;

const byId = (id: string) => `[data-test-id="${id}"]`;

/** n8n's editor in a headless Chromium, logged in. */
export class Editor {
	/** What the page complained of in its console, or couldn't load. */
	private complaints: string[] = [];
	private readonly folder: string;
	private readonly keeps: boolean;

	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
	) {
		// To look at: SCREENSHOTS=/some/folder npm run e2e -- editor
		this.keeps = Boolean(process.env.SCREENSHOTS);
		this.folder = process.env.SCREENSHOTS || temporaryFolder('screenshots');
		page.on('console', (message) => {
			if (message.type() === 'error') this.complaints.push(`${message.text()} (${message.location().url})`);
		});
		page.on('pageerror', (error) => this.complaints.push(`${error.name}: ${error.message}`));
	}

	/** Takes seconds, and fills a cache of its own: one for all tests of a file. */
	static async open(): Promise<Editor> {
		const browser = await playwright.launch({ executablePath: executable(), headless: true, args: FLAGS });
		const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: DEVICE_PIXELS });
		const { url, cookie } = n8n();
		const [name, value] = cookie.split('=');
		await context.addCookies([{ name, value, url }]);
		return new Editor(browser, await context.newPage());
	}

	async close(): Promise<void> {
		await this.browser.close();
		if (!this.keeps) removeFolder(this.folder);
	}

	/** Complaints since the last call that have to do with this package. */
	takeComplaintsAboutUs(): string[] {
		const ours = this.complaints.filter((text) => /idempotency/i.test(text));
		this.complaints = [];
		return ours;
	}

	/** The system's colours, and the height of the window; both stay until the next call. */
	async look(scheme: 'light' | 'dark', height = HEIGHT): Promise<void> {
		await this.page.emulateMedia({ colorScheme: scheme });
		await this.page.setViewportSize({ width: WIDTH, height });
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${n8n().url}/workflow/${id}`);
		await this.page.waitForSelector(byId('canvas-node'), { timeout: LOADED_WITHIN_MS });
		await this.settle();
	}

	/** Names of the nodes on the canvas, sticky notes left out. */
	async nodeNames(): Promise<string[]> {
		return await this.page.locator(byId('canvas-node')).evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-node-name') ?? ''));
	}

	/** Names of nodes that carry the marker of a problem (of this package, unless told otherwise), or of any that isn't installed. */
	async nodesWithProblems(types = /^n8n-nodes-idempotency\./): Promise<string[]> {
		const marked = this.page.locator(byId('canvas-node'), { has: this.page.locator(byId('node-issues')) });
		const found = await marked.evaluateAll((nodes) => nodes.map((node) => [node.getAttribute('data-node-name') ?? '', node.getAttribute('data-node-type') ?? '']));
		const unknown = this.page.locator(byId('canvas-node'), { has: this.page.locator(byId('node-not-installed')) });
		return [...found.filter(([, type]) => types.test(type)).map(([name]) => name), ...(await namesOf(unknown))];
	}

	/** True when every icon on the canvas has loaded as a picture. */
	async allIconsLoaded(): Promise<boolean> {
		return await this.page
			.locator(`${byId('canvas-node')} img`)
			.evaluateAll((images) => images.every((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0));
	}

	/** Opens the parameters of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`${byId('canvas-node')}[data-node-name="${name}"]`).dblclick();
		await this.settle();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.settle();
	}

	/** Opens the dialog of a stored credential, which n8n tests by itself. */
	async openCredential(id: string): Promise<void> {
		await this.page.goto(`${n8n().url}/home/credentials/${id}`);
		await this.page.getByText(/Connection tested successfully|Couldn.t connect/).first().waitFor({ timeout: LOADED_WITHIN_MS });
		await this.settle();
	}

	/** Opens the panel for adding a node. */
	async openNodePanel(): Promise<void> {
		await this.page.keyboard.press('n');
		await this.page.locator(byId('node-creator-search-bar')).waitFor();
	}

	/** Types into the open panel; gives back what it offers. */
	async searchNodes(text: string): Promise<string> {
		await this.page.locator(byId('node-creator-search-bar')).fill(text);
		await this.settle();
		return await this.page.locator(byId('node-creator')).innerText();
	}

	/** Path of the picture. */
	async screenshot(name: string, options: { style?: string } = {}): Promise<string> {
		const path = join(this.folder, `${name}.png`);
		await this.page.screenshot({ path, ...options });
		return path;
	}

	/** The same without the button that lies over the lowest nodes. */
	async screenshotOfCanvas(name: string): Promise<string> {
		return await this.screenshot(name, { style: '[data-test-id^="execute-workflow-button"], [data-test-id="workflow-chat-button"] { visibility: hidden }' });
	}

	async text(): Promise<string> {
		return await this.page.locator('body').innerText();
	}

	private async settle(): Promise<void> {
		await this.page.waitForTimeout(SETTLED_AFTER_MS);
	}
}

async function namesOf(nodes: ReturnType<Page['locator']>): Promise<string[]> {
	return await nodes.evaluateAll((found) => found.map((node) => node.getAttribute('data-node-name') ?? ''));
}

function executable(): string {
	const found = chromium();
	if (found === undefined) throw new Error('Run these tests by "npm run e2e"');
	return found;
}
