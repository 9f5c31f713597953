import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Message } from "../../_shared/mail.ts";
import { button, mailFrame } from "./mail-frame.ts";

type Delivery = AnswerOf<"emails_to_send">[number];

interface Words {
  subject: string;
  sentences: string[];
  page: "subscribers" | "settings/webhooks" | "settings/backup" | "settings/domain";
  link: string;
}

const words: Record<string, (name: string, about: string) => Words> = {
  held: (name) => ({
    subject: `Emails of ${name} are paused`,
    sentences: [
      `Too many recent emails of ${name} bounced or were reported as spam. We've paused sending to protect delivery for everyone.`,
      "Waiting emails are kept. Your administrator needs to review this and resume sending. Please tell them where the addresses came from.",
    ],
    page: "subscribers",
    link: "View subscribers",
  }),
  webhook_gone: (name) => ({
    subject: `A webhook of ${name} was turned off`,
    sentences: [
      `A webhook of ${name} returned 410 Gone, so we've turned it off.`,
      "Its log shows the responses. Once it works again, turn it on and resend what it missed from the log.",
    ],
    page: "settings/webhooks",
    link: "View webhooks",
  }),
  webhook_failing: (name) => ({
    subject: `A webhook of ${name} was turned off`,
    sentences: [
      `We couldn't deliver to a webhook of ${name} for three days, so we've turned it off.`,
      "Its log shows every attempt. Once it works again, turn it on and resend what it missed from the log.",
    ],
    page: "settings/webhooks",
    link: "View webhooks",
  }),
  backup_failed: (name, about) => ({
    subject: `The backup of ${name} failed`,
    sentences: [
      `We couldn't back up ${name}: ${about}.`,
      "We'll try again every day and email you when it works. The settings show every attempt.",
    ],
    page: "settings/backup",
    link: "View backups",
  }),
  backup_works: (name) => ({
    subject: `The backup of ${name} works again`,
    sentences: [`The latest backup of ${name} is in your bucket.`],
    page: "settings/backup",
    link: "View backups",
  }),
  domain_live: (name, about) => ({
    subject: `${about} is live`,
    sentences: [
      `The changelog of ${name} is now at https://${about}. Its former address redirects there.`,
      "We check its DNS records every day. Please keep them: without them the domain stops working after a week.",
    ],
    page: "settings/domain",
    link: "View domains",
  }),
  domain_lost: (name, about) => ({
    subject: `${about} no longer points to your changelog`,
    sentences: [
      `The DNS records of ${about} have changed, or it can't be reached. We keep redirecting readers of ${name} there for a week. After that the former address serves the changelog again.`,
      "The settings show the required records and what we found. Once they're right, press Check now.",
    ],
    page: "settings/domain",
    link: "View DNS records",
  }),
};

export const isForOwner = (kind: string): boolean => Object.hasOwn(words, kind);

export function ownerMail({ id, kind, email, workspace_id: workspace, workspace_name: name, about }: Delivery, publicUrl: string): Message {
  const { subject, sentences, page, link } = words[kind]!(name, about ?? "");
  const href = `${publicUrl}/workspace/${workspace}/${page}`;
  const reason = `You get this email because you own ${name}.`;
  return {
    to: email,
    subject,
    html: mailFrame({
      name,
      home: publicUrl,
      logo: null,
      subject,
      preheader: sentences[0]!,
      body: `${sentences.map((sentence) => `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>`).join("\n")}${button(href, link)}`,
      foot: escapeHtml(reason),
    }),
    text: `${sentences.join("\n\n")}\n\n${link}: ${href}\n\n--\n${reason}\n`,
    key: id,
    headers: { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`, "Auto-Submitted": "auto-generated" },
  };
}
