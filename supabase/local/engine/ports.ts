import process from "node:process";
import { StartError } from "../start-error.ts";
import { count, firstPort, lowest } from "./first-port.ts";

let next: number | undefined;

/** A free port below the ephemeral range, so a restarted part can reuse it. Never returns one twice. */
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

export async function answers(port: number, timeoutMs: number, stop: () => boolean = () => false): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end && !stop();) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return false;
}

/** Listens; a taken port throws a StartError that names its setting. */
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
