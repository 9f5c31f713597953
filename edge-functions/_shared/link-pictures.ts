import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database } from "#contract/database.ts";
import { toBase64Url } from "./base64.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";

export type WantedPicture = AnswerOf<"claim_link_pictures">[number];

const bucket = "link-pictures";

/** Queue of social images (supabase/schemas/86-og-images.sql), with the service role: no user draws or stores them. */
export class LinkPictures {
  readonly #service: SupabaseClient<Database>;

  constructor({ supabaseUrl, secretKey }: Pick<Env, "supabaseUrl" | "secretKey">) {
    this.#service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
  }

  async due(): Promise<boolean> {
    return (await this.#service.rpc("link_pictures_due").throwOnError()).data;
  }

  async claim(): Promise<WantedPicture | undefined> {
    return (await this.#service.rpc("claim_link_pictures", { batch: 1 }).throwOnError()).data[0];
  }

  async keep(workspaceId: string, png: Uint8Array): Promise<string> {
    const path = `${workspaceId}/${crypto.randomUUID()}.png`;
    const { error } = await this.#service.storage.from(bucket).upload(path, png, { contentType: "image/png", cacheControl: "31536000" });
    if (error) throw error;
    return path;
  }

  async settle({ id, wanted }: WantedPicture, how: { path: string } | { error: string }): Promise<void> {
    const [path, error] = "path" in how ? [how.path, null] : [null, how.error];
    await this.#service.rpc("settle_link_picture", { id, wanted, path: path as string, error: error as string }).throwOnError();
  }
}

const patienceMs = 15_000;

export async function askToDraw(
  env: Pick<Env, "supabaseUrl" | "secretKey">,
  what: "draw" | "preview",
  body: object = {},
): Promise<Response> {
  return await fetch(`${env.supabaseUrl}/functions/v1/og/${what}`, {
    method: "POST",
    headers: { authorization: `Bearer ${await drawingKey(env)}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  });
}

/** Shared secret with the og function, derived from the secret key. */
export async function drawingKey({ secretKey }: Pick<Env, "secretKey">): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(secretKey), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encode("pictures for links"))));
}
