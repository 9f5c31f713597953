import type { StackFile } from "../../support/stack.ts";
import type { Place } from "./writers.ts";

/** Stores one image of 300 kB for a post of the place's workspace. */
export async function storeImage(stack: StackFile, { token, workspaceId }: Place): Promise<void> {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(300_000, "picture")]);
  const answer = await fetch(`${stack.url}/storage/v1/object/post-images/${workspaceId}/${crypto.randomUUID()}.png`, {
    method: "POST",
    headers: { "content-type": "image/png", apikey: stack.publishableKey, authorization: `Bearer ${token}` },
    body: png,
  });
  if (!answer.ok) throw new Error(await answer.text());
}
