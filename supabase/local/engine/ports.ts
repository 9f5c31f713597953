/**
 * A free port on 127.0.0.1, below the range from which the system takes the ports of outgoing connections:
 * so a part that restarts finds its port still free.
 */
export function freePort(): number {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (isFree(port)) return port;
  }
  throw new Error("no free port between 20000 and 32000");
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch {
    return false;
  }
}

/** Whether somebody listens there within `patienceMs`; `stop` ends the waiting early. */
export async function answers(port: number, patienceMs: number, stop: () => boolean = () => false): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end && !stop();) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return false;
}
