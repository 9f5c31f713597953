const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Retries with backoff during a short database outage, for results that must be recorded. */
export async function retry<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await work();
    } catch (error) {
      if (pauseMs > longestPauseMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
