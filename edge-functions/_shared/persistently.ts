const firstPauseMs = 250;
/** The last pause: some eight seconds in all. */
const longestPauseMs = 4_000;

/** Does something again and again while it fails, as the database may be away for a moment: for what was done and must be recorded. */
export async function persistently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await work();
    } catch (error) {
      if (pauseMs > longestPauseMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
