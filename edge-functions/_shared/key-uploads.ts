import { fromStorage } from "./backend-errors.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";

/** Stores an image for an API key with the service role, as keys have no Storage token. The caller has checked its rights. */
export async function storeForKey(
  env: Env,
  path: string,
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
): Promise<void> {
  const { storage } = serviceClient(env);
  const { error } = await storage.from("post-images").upload(path, bytes, { contentType, cacheControl: "31536000" });
  if (error) throw fromStorage(error);
}
