import { StartError } from "../start-error.ts";

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

/** Begins to listen; a port that cannot be had is a sentence that names its setting. */
export function listening<Server>(setting: string, port: number, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse)
      throw new StartError(`Port ${port} is in use by another program; choose another one with ${setting}.`);
    if (error instanceof Deno.errors.PermissionDenied)
      throw new StartError(`Port ${port} needs more rights; choose one above 1023 with ${setting}.`);
    throw error;
  }
}
