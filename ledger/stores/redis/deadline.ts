/** Rejects with `late()` when the work takes longer; the work itself goes on, and its end is ignored. */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Error): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const alarm = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(late()), ms);
	});
	try {
		return await Promise.race([work, alarm]);
	} finally {
		clearTimeout(timer);
	}
}

export async function pause(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}
