import type { MailProvider } from "#contract/mail-events.ts";
import { mailEventEndpoints } from "#contract/mail-events.ts";
import { isSame } from "../../_shared/constant-time.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { log } from "../../_shared/log.ts";
import { Outbox } from "../../_shared/outbox.ts";
import { verifyWebhook } from "../../_shared/standard-webhooks.ts";
import { type MailEvent, parsed } from "./mail-event.ts";
import { eventsOfPostmark } from "./postmark.ts";
import { eventsOfResend } from "./resend.ts";
import { eventsOfSes } from "./ses.ts";
import { confirmSubscription, isSignedBySns, readSns } from "./sns.ts";

export function bindMailEvents({ open }: Binder): void {
  open(mailEventEndpoints.receive, async ({ env, params: { provider, secret }, headers, raw }) => {
    const expected = env.mailEvents.secret;
    if (expected === null || !(await isSame(secret, expected))) throw refused(provider, "secret");
    const events = await readers[provider]({ env, headers, body: raw });
    if (events.length > 0) {
      const noted = await new Outbox(env).note(events);
      const count = (kind: MailEvent["kind"]) => events.filter((event) => event.kind === kind).length;
      const counts = { hard: count("hard"), soft: count("soft"), complaint: count("complaint"), left: count("left") };
      log({ event: "email events", provider, ...counts, noted });
    }
    return { success: true as const };
  });
}

interface ProviderRequest {
  env: Env;
  headers: Headers;
  body: Uint8Array;
}

const readers: Record<MailProvider, (delivery: ProviderRequest) => Promise<MailEvent[]>> = {
  async resend({ env, headers, body }) {
    const id = await verifyWebhook(env.mailEvents.signing, headers, body);
    if (id === null) throw refused("resend", "signature");
    return eventsOfResend(jsonOf(body), id);
  },
  /** Unsigned: authenticated by the secret URL, and by basic auth if configured. */
  async postmark({ env, headers, body }) {
    const { login } = env.mailEvents;
    const expected = login === null ? null : `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login)))}`;
    if (expected !== null && !(await isSame(headers.get("authorization") ?? "", expected))) throw refused("postmark", "login");
    return eventsOfPostmark(jsonOf(body));
  },
  async ses({ body }) {
    const message = readSns(jsonOf(body));
    if (message === null || !(await isSignedBySns(message).catch(retryLater))) throw refused("ses", "signature");
    if (message.Type === "Notification") return eventsOfSes(message.Message, message.MessageId);
    if (message.Type === "SubscriptionConfirmation") {
      const confirmed = await confirmSubscription(message).catch(retryLater);
      log({ event: "email events of SNS", confirmed: String(confirmed) });
    }
    return [];
  },
};

/** SNS is unreachable; it will retry. */
const retryLater = (cause: unknown): never => {
  throw new AppError("unavailable", { retryAfter: 60, cause });
};

function refused(provider: MailProvider, reason: string): AppError {
  log({ event: "email event refused", provider, reason });
  return new AppError("unauthenticated");
}

/** SNS sends JSON as text/plain. */
function jsonOf(body: Uint8Array): unknown {
  const text = parsed(new TextDecoder().decode(body));
  if (text === undefined) throw new AppError("invalid_json");
  return text;
}
