import { shorten } from "#contract/blocks/excerpt.ts";
import { cleaning } from "#contract/blocks/clean.ts";
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { type MailContent, mailOfBlocks } from "#contract/blocks/to-mail.ts";
import type { AnswerOf } from "#contract/database.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import type { Message } from "../../_shared/mail.ts";
import type { PostHead } from "../../_shared/outbox.ts";
import { button, mailFrame } from "./mail-frame.ts";
import { isForOwner, ownerMail } from "./owner-mails.ts";

export type Delivery = AnswerOf<"claim_mails">[number];
export type MailedPost = AnswerOf<"mail_posts">[number];

/** Gmail hides what goes beyond 102 kB; the frame needs some of it. */
const longestContent = 85_000;
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** What a mail tells of: a post and, where the mail has all of it, its content, rendered once for all who get it. */
export interface ToldPost {
  post: PostHead;
  content: MailContent | null;
}

/** `base` is the origin of the workspace's public page. */
export async function renderPost({ content_raw, ...post }: MailedPost, base: string): Promise<ToldPost> {
  const cleaned = await inTurns(cleaning(content_raw));
  return { post, content: await inTurns(mailOfBlocks(cleaned, base, longestContent)) };
}

/** The origin of a workspace's public page. */
export function originOf(publicUrl: string, subdomain: string): string {
  const { protocol, host } = new URL(publicUrl);
  return `${protocol}//${subdomain}.${host}`;
}

/** What a text may be in a header: one line, whatever stands in the database. */
const asLine = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
/** What a name may be there: without the signs that end it, or turn what follows round. */
const asName = (name: string): string => asLine(name.replace(/["\\<>\u202a-\u202e\u2066-\u2069]/g, " "));

const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

interface Words {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  /** Why it came. */
  reason: string;
  /** Sent to many at once: programs then do not answer it by themselves, and show a button to leave. */
  bulk: boolean;
}

/** The mail of a delivery. `from` is the installation's own sender; `posts` are those of the delivery that are still visible. */
export function mailOf(delivery: Delivery, posts: readonly ToldPost[], { publicUrl, from }: { publicUrl: string; from: string }): Message {
  if (isForOwner(delivery.kind)) return ownerMail(delivery, publicUrl);
  const origin = originOf(publicUrl, delivery.subdomain);
  const own = `${origin}/releases/subscription/${delivery.token}`;
  const { subject, preheader, html, text, reason, bulk } = wordsOf(delivery, posts, origin, own);
  const logo = safeImageUrl(delivery.logo_url ?? "");
  const links = bulk ? `<br><a href="${own}" style="color:inherit">Change what you get, or unsubscribe</a>` : "";
  const foot = `${escapeHtml(reason)}${links}`;
  const sender = asName(delivery.sender_name ?? delivery.workspace_name) || delivery.subdomain;
  return {
    to: delivery.email,
    from: `"${sender} via Tidings" <${addressOf(from)}>`,
    ...(delivery.reply_to !== null && { replyTo: delivery.reply_to }),
    subject: asLine(subject),
    html: mailFrame({
      name: delivery.workspace_name,
      home: `${origin}/releases`,
      logo: logo && new URL(logo, origin).href,
      subject,
      preheader,
      body: html,
      foot,
    }),
    text: `${text}\n\n--\n${reason}${bulk ? `\nChange what you get, or unsubscribe: ${own}` : ""}\n`,
    key: delivery.id,
    headers: {
      "Message-ID": `<${delivery.id}@${new URL(publicUrl).hostname}>`,
      "Auto-Submitted": "auto-generated",
      ...(bulk && {
        "List-Unsubscribe": `<${own}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": `<changelog.${new URL(origin).hostname}>`,
        Precedence: "bulk",
        "Feedback-ID": `${delivery.kind}:${delivery.workspace_id}:tidings`,
      }),
    },
  };
}

function wordsOf(delivery: Delivery, posts: readonly ToldPost[], origin: string, own: string): Words {
  const { kind, workspace_name: name } = delivery;
  const subscribed = `You get this because you asked for news from ${name}.`;
  const [first] = posts;
  if (kind === "post" && first !== undefined) return { ...aboutPost(first, origin), reason: subscribed, bulk: true };
  if (kind === "digest" && first !== undefined) return { ...aboutPosts(posts, name, origin), reason: subscribed, bulk: true };
  if (kind === "reminder") {
    const sentence = `Somebody, most likely you, asked for news from ${name}. They come to this address already.`;
    return {
      subject: `You already get news from ${name}`,
      preheader: sentence,
      html: `${paragraph(sentence)}${button(own, "See your subscription")}`,
      text: `${sentence}\n\nSee your subscription: ${own}`,
      reason: "If it was not you, there is nothing to do.",
      bulk: false,
    };
  }
  const question = `Shall news from ${name} come to this address? Nothing is sent before you say yes.`;
  return {
    subject: `Please confirm: news from ${name} by mail`,
    preheader: question,
    html: `${paragraph(question)}${button(own, "Confirm")}`,
    text: `${question}\n\nConfirm: ${own}`,
    reason: "If you did not ask for this, do nothing: no further mail will come.",
    bulk: false,
  };
}

/** Where a post can be read; the page's count then has it as one that a mail led to. */
const postAddress = (origin: string, { slug }: PostHead): string => `${origin}/releases/${slug}?via=mail`;

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

const heading = (title: string, href: string): string =>
  `<h1 style="margin:0 0 8px;font-size:26px;line-height:32px"><a href="${escapeHtml(href)}" style="color:inherit;text-decoration:none">${escapeHtml(title)}</a></h1>`;

const byline = ({ published_at, author_name }: PostHead): string =>
  [day.format(new Date(published_at)), author_name].filter(Boolean).join(" · ");

function aboutPost({ post, content }: ToldPost, origin: string): Omit<Words, "reason" | "bulk"> {
  const href = postAddress(origin, post);
  const more = content?.whole ? "Read it on the web" : "Read the rest on the web";
  return {
    subject: post.title,
    preheader: shorten(post.excerpt, 120),
    html: `${heading(post.title, href)}<p class="m-muted" style="margin:0 0 24px;color:#5f574c;font-size:14px">${escapeHtml(byline(post))}</p>
${content?.html || (post.excerpt && paragraph(shorten(post.excerpt, 300)))}
${button(href, more)}`,
    text: `${post.title}\n${byline(post)}\n\n${content?.text ?? post.excerpt}\n\n${more}: ${href}`,
  };
}

/** Several posts: what each is about, and where it stands. */
function aboutPosts(posts: readonly ToldPost[], name: string, origin: string): Omit<Words, "reason" | "bulk"> {
  const subject = posts.length === 1 ? `${posts[0]!.post.title} · ${name}` : `${posts.length} updates from ${name}`;
  const entries = posts.map(({ post }) => ({ post, href: postAddress(origin, post), about: shorten(post.excerpt, 300) }));
  return {
    subject,
    preheader: posts
      .map(({ post }) => post.title)
      .join(" · ")
      .slice(0, 120),
    html: entries
      .map(
        ({ post, href, about }) =>
          `<h2 style="margin:0 0 4px;font-size:20px;line-height:28px"><a href="${escapeHtml(href)}" style="color:#0b6b62">${escapeHtml(post.title)}</a></h2>
<p class="m-muted" style="margin:0 0 8px;color:#5f574c;font-size:14px">${escapeHtml(byline(post))}</p>
<p style="margin:0 0 28px">${escapeHtml(about)}</p>`,
      )
      .join("\n"),
    text: entries.map(({ post, href, about }) => `${post.title}\n${byline(post)}\n${about}\n${href}`).join("\n\n"),
  };
}
