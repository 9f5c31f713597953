import fs from "node:fs";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
