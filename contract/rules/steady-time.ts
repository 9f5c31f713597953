/** Prevents timing attacks: settles only at multiples of `stepMs`, so the duration reveals nothing (known address, password compared). */
export async function atSteadyTime<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    const spent = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(spent / stepMs) * stepMs - spent));
  }
}
