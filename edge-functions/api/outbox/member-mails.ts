import { shorten } from "#contract/blocks/excerpt.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Message } from "../../_shared/mail.ts";
import { asLine, button, mailFrame } from "./mail-frame.ts";

type Delivery = Pick<AnswerOf<"claim_mails">[number], "id" | "kind" | "email" | "workspace_id" | "workspace_name" | "told">;

/** What private.tell_member was given; what is not there is not said. */
export interface Told {
  post_id?: string;
  /** Of the post; it may have none yet. */
  title?: string;
  /** Who did it. */
  by?: string;
  /** What that person wrote. */
  text?: string | null;
  thread_id?: string;
  decision?: string;
  /** The change of a live post that it is about, not the post. */
  proposal?: string;
}

interface Words {
  subject: string;
  sentence: string;
  link: string;
  /** Of the post's page: what it opens with. */
  query?: Record<string, string>;
  reason: string;
}

const postOf = ({ title }: Told): string => (title ? `“${title}”` : "a post without a title");
const someone = ({ by }: Told): string => by || "Someone";

const decisions: Readonly<Record<string, string>> = { approved: "approved", accepted: "accepted" };

const words: Record<string, (told: Told, workspace: string) => Words> = {
  mentioned: (told, workspace) => ({
    subject: `${someone(told)} mentioned you in ${postOf(told)}`,
    sentence: `${someone(told)} wants you to see a comment on ${postOf(told)}:`,
    link: "Open the comment",
    ...(told.thread_id !== undefined && { query: { thread: told.thread_id } }),
    reason: `You get this because a comment in ${workspace} names you.`,
  }),
  review_asked: (told, workspace) => ({
    ...(told.proposal === undefined
      ? {
          subject: `${someone(told)} asks you to approve ${postOf(told)}`,
          sentence: `${someone(told)} wants to publish ${postOf(told)}. It waits for the approval of a second person.`,
        }
      : {
          subject: `${someone(told)} proposes changes to ${postOf(told)}`,
          sentence: `${someone(told)} has changed ${postOf(told)}. Readers see the changes once a second person accepts them.`,
          query: { proposal: told.proposal },
        }),
    link: "Read and decide",
    reason: `You get this because you may approve posts of ${workspace}.`,
  }),
  review_decided: (told, workspace) => {
    const done = decisions[told.decision ?? ""] ?? "did not approve";
    const what = told.proposal === undefined ? postOf(told) : `your changes to ${postOf(told)}`;
    return {
      subject: `${someone(told)} ${done} ${what}`,
      sentence: `${someone(told)} ${done} ${what}.`,
      link: "Open the post",
      reason: `You get this because you asked for it in ${workspace}.`,
    };
  },
};

export const isForMember = (kind: string): boolean => Object.hasOwn(words, kind);

/** As much of what somebody wrote as a mail shows. */
const longestQuote = 1_000;

/** Tells a member of a workspace what concerns that person. From the installation itself: who wrote it stands in it, and is nobody's to choose. */
export function memberMail({ id, kind, email, workspace_id: workspace, workspace_name: name, told }: Delivery, publicUrl: string): Message {
  const what = (told ?? {}) as Told;
  const { subject, sentence, link, query, reason } = words[kind]!(what, name);
  const quote = what.text ? shorten(what.text, longestQuote) : "";
  const page = what.post_id === undefined ? `/workspace/${workspace}/dashboard` : `/workspace/${workspace}/changelog/edit/${what.post_id}`;
  const href = `${publicUrl}${page}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
  return {
    to: email,
    subject: asLine(subject),
    html: mailFrame({
      ...{ name, home: publicUrl, logo: null, subject: asLine(subject), preheader: quote ? shorten(quote, 120) : sentence },
      body: `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>
${quote && `<blockquote class="m-line" dir="auto" style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #ddd8cf">${escapeHtml(quote)}</blockquote>`}
${button(href, link)}`,
      foot: escapeHtml(reason),
    }),
    text: `${sentence}\n\n${quote && `> ${quote}\n\n`}${link}: ${href}\n\n--\n${reason}\n`,
    key: id,
    headers: { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`, "Auto-Submitted": "auto-generated" },
  };
}
