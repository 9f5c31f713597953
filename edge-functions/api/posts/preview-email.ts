import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { Message } from "../../_shared/mail.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import type { Previewed } from "../../releases/preview.tsx";
import { readerMail, renderPost, voiceOf } from "../outbox/mails.ts";
import { rows } from "../result.ts";

/** The email of an unsent post, without a subscriber's links. */
export async function previewEmail(
  db: Database,
  { publicUrl, mail }: Env,
  { workspace, release, content }: Previewed,
  to: string,
): Promise<Message> {
  const { id, name, subdomain, logo_url, domain, appearance: look } = workspace;
  const sender = await rows(db.from("mail_settings").select("sender_name, reply_to").eq("workspace_id", id).maybeSingle());
  const appearance = { settings: look, logo_dark_url: look.logo_dark_url, favicon_url: look.favicon_url };
  const post = await renderPost(
    { ...release, author_name: release.author_name ?? "", published_at: release.published_at.toISOString(), content_raw: content },
    originBelow(publicUrl, subdomain),
    voiceOf({ appearance }),
  );
  const delivery = {
    ...{ id: crypto.randomUUID(), kind: "post", email: to, token: null, posts: [release.id], appearance },
    ...{ workspace_id: id, workspace_name: name, subdomain, logo_url, domain },
    ...{ sender_name: sender?.sender_name ?? null, reply_to: sender?.reply_to ?? null },
  };
  return readerMail(delivery, [post], { publicUrl, from: mail?.from ?? "" });
}
