import type { StackFile } from "../../support/stack.ts";
import type { Place } from "./writers.ts";

/** Stores one image of 300 kB for a post of the place's workspace, which browsers may keep for so many seconds. */
export async function storeImage(stack: StackFile, { token, workspaceId }: Place, seconds = "3600"): Promise<void> {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(300_000, "picture")]);
  const answer = await fetch(`${stack.url}/storage/v1/object/post-images/${workspaceId}/${crypto.randomUUID()}.png`, {
    method: "POST",
    headers: {
      "content-type": "image/png",
      "cache-control": `max-age=${seconds}`,
      apikey: stack.publishableKey,
      authorization: `Bearer ${token}`,
    },
    body: png,
  });
  if (!answer.ok) throw new Error(await answer.text());
}
