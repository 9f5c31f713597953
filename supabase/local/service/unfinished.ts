import fs from "node:fs";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `make`, which makes a file or folder at `place`, a name of its own, and then moves it to where it belongs. What is there after a
 * fault or a signal goes.
 */
export async function makeWhole(place: string, make: () => Promise<void>): Promise<void> {
  const remove = () => fs.rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  for (const signal of signals) process.once(signal, interrupted);
  try {
    await make();
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    remove();
  }
}
