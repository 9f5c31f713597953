import process from "node:process";
import { StartError } from "../start-error.ts";
import { count, firstPort, lowest } from "./first-port.ts";

let next: number | undefined;

/**
 * A free port on 127.0.0.1, below the range from which the system takes the ports of outgoing connections: so a part that restarts finds its
 * port still free. None is given twice, since a part listens a while after it has got one.
 */
export function freePort(): number {
  next ??= firstPort(Number(process.env.PORT) || 0);
  for (let attempt = 0; attempt < count; attempt++) {
    const port = next;
    next = lowest + ((next + 1 - lowest) % count);
    if (isFree(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${lowest + count}`);
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
      throw new StartError(`Port ${port} is in use by another program. Choose another one with ${setting}.`);
    if (error instanceof Deno.errors.PermissionDenied)
      throw new StartError(`Port ${port} needs more rights. Choose one above 1023 with ${setting}.`);
    throw error;
  }
}
