const TAIL_CHARACTERS = 4_000;

/** Shows the end of n8n's log below a test file that failed: the reason is often there. */
module.exports = class LogTailReporter {
	onTestFileResult(test, { numFailingTests, testExecError }) {
		if (numFailingTests === 0 && !testExecError) return;
		const log = globalThis.e2eStarted?.log() ?? '';
		process.stderr.write(`\nEnd of n8n's log after ${test.path}:\n${log.slice(-TAIL_CHARACTERS)}\n`);
	}
};
