/**
 * The result of `promise`, unless it takes longer than `limitMs`; then the error that `late` makes.
 * What comes after that is the business of `late`.
 */
export async function within<Result>(promise: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(late()), limitMs);
	});
	try {
		return await Promise.race([promise, over]);
	} finally {
		clearTimeout(timer);
	}
}
