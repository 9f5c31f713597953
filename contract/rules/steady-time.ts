/**
 * Lets a piece of work end, well or badly, only at the next multiple of `stepMs`, so that how long it took tells nothing
 * (whether an address is known, whether a password was even compared).
 */
export async function atSteadyTime<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    const spent = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(spent / stepMs) * stepMs - spent));
  }
}
