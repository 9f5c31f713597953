import { managers } from "#contract/kinds.ts";
import { subscriberEndpoints } from "#contract/subscribers.ts";
import type { Env } from "../../_shared/env.ts";
import type { Binder } from "../../_shared/handle.ts";
import { sendMail } from "../../_shared/mail.ts";
import { previewDigest } from "../posts/preview-email.ts";
import { requireRole } from "../workspaces/queries.ts";
import { checkRecords, type LookUpTexts } from "./records.ts";

export function bindMailCheck({ signedIn }: Binder, lookUp: LookUpTexts): void {
  signedIn(subscriberEndpoints.mailCheck, async ({ db, params, env }) => {
    await requireRole(db, params.workspaceId, managers);
    const domain = senderDomain(env);
    return { domain, records: domain === null ? [] : await checkRecords(domain, env.dkimSelector, lookUp) };
  });

  signedIn(subscriberEndpoints.testMail, async ({ db, params, env, user }) => {
    await requireRole(db, params.workspaceId, managers);
    const words = "This is the test email you requested. Your next one shows your newest posts as a digest, once you've published one.";
    const message = (await previewDigest(db, env, params.workspaceId, user.email)) ?? {
      ...{ to: user.email, subject: "Digest", text: `${words}\n`, html: `<p>${words}</p>` },
    };
    return { sent: await sendMail(env, { ...message, subject: `[Test] ${message.subject}` }), to: user.email };
  });
}

export function senderDomain({ mail }: Pick<Env, "mail">): string | null {
  const domain = /@([^@<>\s]+?)>?\s*$/.exec(mail?.from ?? "")?.[1];
  return domain?.toLowerCase() ?? null;
}
