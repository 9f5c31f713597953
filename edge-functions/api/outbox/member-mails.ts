import { shorten } from "#contract/blocks/excerpt.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import { optionalEmails } from "#contract/profile.ts";
import type { Suspension } from "#contract/workspaces.ts";
import type { Message } from "../../_shared/mail.ts";
import { asLine, button, mailFrame } from "./mail-frame.ts";

type Delivery = Pick<AnswerOf<"emails_to_send">[number], "id" | "kind" | "email" | "workspace_id" | "workspace_name" | "told">;

export interface MemberEvent {
  post_id?: string;
  title?: string;
  by?: string;
  text?: string | null;
  thread_id?: string;
  decision?: string;
  proposal?: string;
  suspension?: Pick<Suspension, "message" | "contact"> | null;
}

interface Words {
  subject: string;
  sentence: string;
  text?: string;
  link: string;
  query?: Record<string, string>;
  reason: string;
}

const postOf = ({ title }: MemberEvent): string => (title ? `“${title}”` : "a post without a title");
const someone = ({ by }: MemberEvent): string => by || "Someone";

const decisions: Readonly<Record<string, string>> = { approved: "approved", accepted: "accepted" };

const words: Record<string, (event: MemberEvent, workspace: string) => Words> = {
  mentioned: (event, workspace) => ({
    subject: `${someone(event)} mentioned you in ${postOf(event)}`,
    sentence: `${someone(event)} mentioned you in a comment on ${postOf(event)}:`,
    link: "View comment",
    ...(event.thread_id !== undefined && { query: { thread: event.thread_id } }),
    reason: `You get this email because a comment in ${workspace} mentions you.`,
  }),
  review_asked: (event, workspace) => ({
    ...(event.proposal === undefined
      ? {
          subject: `${someone(event)} asks you to approve ${postOf(event)}`,
          sentence: `${someone(event)} wants to publish ${postOf(event)} and needs your approval.`,
        }
      : {
          subject: `${someone(event)} proposes changes to ${postOf(event)}`,
          sentence: `${someone(event)} proposed changes to ${postOf(event)}. Readers see them once a second person accepts.`,
          query: { proposal: event.proposal },
        }),
    link: "Review",
    reason: `You get this email because you can approve posts in ${workspace}.`,
  }),
  review_decided: (event, workspace) => {
    const done = decisions[event.decision ?? ""] ?? "declined";
    const what = event.proposal === undefined ? postOf(event) : `your changes to ${postOf(event)}`;
    return {
      subject: `${someone(event)} ${done} ${what}`,
      sentence: `${someone(event)} ${done} ${what}.`,
      link: "View post",
      reason: `You get this email because you requested it in ${workspace}.`,
    };
  },
  suspension: ({ suspension }, workspace) => ({
    ...(suspension
      ? {
          subject: `${workspace} was suspended`,
          sentence: `The operator of this site has suspended ${workspace}. Its changelog isn't available to readers. You can read and export posts, but not change them.${suspension.contact ? ` Questions? Write to ${suspension.contact}.` : ""}`,
          text: suspension.message,
        }
      : {
          subject: `${workspace} is available again`,
          sentence: `The operator of this site has lifted the suspension of ${workspace}. You can write and publish again.`,
        }),
    link: "Open the dashboard",
    reason: `You get this because you're a member of ${workspace}.`,
  }),
};

export const isForMember = (kind: string): boolean => Object.hasOwn(words, kind);

const longestQuote = 1_000;

/** Sent by the installation: members can't choose the sender. */
export function memberMail({ id, kind, email, workspace_id: workspace, workspace_name: name, told }: Delivery, publicUrl: string): Message {
  const what = (told ?? {}) as MemberEvent;
  const { subject, sentence, link, query, reason, text = what.text } = words[kind]!(what, name);
  const quote = text ? shorten(text, longestQuote) : "";
  const page = what.post_id === undefined ? `/workspace/${workspace}/dashboard` : `/workspace/${workspace}/changelog/edit/${what.post_id}`;
  const href = `${publicUrl}${page}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
  const choices = (optionalEmails as readonly string[]).includes(kind) ? `${publicUrl}/settings#emails` : "";
  return {
    to: email,
    subject: asLine(subject),
    html: mailFrame({
      ...{ name, home: publicUrl, logo: null, subject: asLine(subject), preheader: quote ? shorten(quote, 120) : sentence },
      body: `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>
${quote && `<blockquote class="m-line" dir="auto" style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #ddd8cf">${escapeHtml(quote)}</blockquote>`}
${button(href, link)}`,
      foot: `${escapeHtml(reason)}${choices && `<br><a href="${choices}" style="color:inherit">Choose your emails</a>`}`,
    }),
    text: `${sentence}\n\n${quote && `> ${quote}\n\n`}${link}: ${href}\n\n--\n${reason}\n${choices && `Choose your emails: ${choices}\n`}`,
    key: id,
    headers: { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`, "Auto-Submitted": "auto-generated" },
  };
}
