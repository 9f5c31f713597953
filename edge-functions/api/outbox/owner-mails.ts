import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Message } from "../../_shared/mail.ts";
import { button, mailFrame } from "./mail-frame.ts";

type Delivery = AnswerOf<"claim_mails">[number];

interface Words {
  subject: string;
  sentences: string[];
  page: "subscribers" | "developers" | "settings" | "settings#domain";
  link: string;
}

const words: Record<string, (name: string, about: string) => Words> = {
  held: (name) => ({
    subject: `Mails of ${name} are on hold`,
    sentences: [
      `Too many of the last mails of ${name} came back, or were called spam by who got them. So that mails of others still arrive, no more go out for now.`,
      "What is waiting is not lost. Whoever runs this installation has to look at it and let it go on; please tell them where the addresses came from.",
    ],
    page: "subscribers",
    link: "See your subscribers",
  }),
  webhook_gone: (name) => ({
    subject: `A webhook of ${name} was switched off`,
    sentences: [
      `An address that ${name} tells of its news answered that nobody is there any more. Nothing is sent to it from now on.`,
      "Its log shows what was answered. If it is there again, switch it on; what it missed can be sent again from the log.",
    ],
    page: "developers",
    link: "See your webhooks",
  }),
  webhook_failing: (name) => ({
    subject: `A webhook of ${name} was switched off`,
    sentences: [
      `Nothing has arrived for three days at an address that ${name} tells of its news. Nothing is sent to it from now on.`,
      "Its log shows every try and what was answered. Once it works, switch it on; what it missed can be sent again from the log.",
    ],
    page: "developers",
    link: "See your webhooks",
  }),
  backup_failed: (name, about) => ({
    subject: `The backup of ${name} failed`,
    sentences: [
      `No copy of ${name} could be made: ${about}.`,
      "It is tried again every day. You hear of it again when it works; until then the settings show every try.",
    ],
    page: "settings",
    link: "See your backups",
  }),
  backup_works: (name) => ({
    subject: `The backup of ${name} works again`,
    sentences: [`A copy of ${name} is in your bucket again.`],
    page: "settings",
    link: "See your backups",
  }),
  domain_live: (name, about) => ({
    subject: `${about} is live`,
    sentences: [
      `The changelog of ${name} is now at https://${about}, and whoever opens its former address is led there.`,
      "Its records are looked at every day. Please leave them as they are: if they go, the name is lost after a week.",
    ],
    page: "settings#domain",
    link: "See your names",
  }),
  domain_lost: (name, about) => ({
    subject: `${about} does not lead to your changelog any more`,
    sentences: [
      `The records of ${about} are not there as they were, or nobody gets through to it. For a week readers of ${name} are still led there; after that its former address shows the changelog again.`,
      "The settings show which records are needed and what was found. Once they are right, press Check now.",
    ],
    page: "settings#domain",
    link: "See what is missing",
  }),
};

export const isForOwner = (kind: string): boolean => Object.hasOwn(words, kind);

/** Tells the owner of a workspace that something of it goes out no more. From the installation itself: who wrote it is nobody's to choose. */
export function ownerMail({ id, kind, email, workspace_id: workspace, workspace_name: name, about }: Delivery, publicUrl: string): Message {
  const { subject, sentences, page, link } = words[kind]!(name, about ?? "");
  const href = `${publicUrl}/workspace/${workspace}/${page}`;
  const reason = `You get this because you own ${name}.`;
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
