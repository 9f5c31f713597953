import { appearanceOfRow } from "#contract/appearance-choices.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { type MailContent, type MailLook, mailOfBlocks } from "#contract/blocks/to-mail.ts";
import type { AnswerOf } from "#contract/database.ts";
import { accentColours } from "#contract/rules/accent.ts";
import { factsOf, readDetails } from "#contract/rules/post-details.ts";
import { textDirection } from "#contract/rules/text-direction.ts";
import { type Language, languageIn } from "#contract/i18n/index.ts";
import { type ImageAddresses, withImageAddresses } from "../../_shared/image-addresses.ts";
import type { Message } from "../../_shared/mail.ts";
import type { PostHead } from "../../_shared/outbox.ts";
import { originBelow, originOf } from "../../_shared/public-origin.ts";
import { asLine, button, type FrameLook, mailFonts, mailFrame } from "./mail-frame.ts";
import { isForMember, memberMail } from "./member-mails.ts";
import { isForOwner, ownerMail } from "./owner-mails.ts";
import { questionMail } from "./report-mail.ts";

export type Delivery = AnswerOf<"emails_to_send">[number];
/** `token` null: a preview or a test, without a subscription. */
export interface ReaderDelivery extends Pick<
  Delivery,
  "id" | "kind" | "workspace_id" | "workspace_name" | "subdomain" | "email" | "posts"
> {
  logo_url: string | null;
  sender_name: string | null;
  reply_to: string | null;
  domain: string | null;
  token: string | null;
  appearance: unknown;
}
export type MailedPost = AnswerOf<"mail_posts">[number];

const longestContent = 85_000;

/** Deliveries have one id more if there are more posts (emails_to_send in supabase/schemas/76-email.sql). */
export const mostInDigest = 50;

/** `content` is rendered once for all recipients, for emails with the full post. */
export interface RenderedPost {
  post: PostHead;
  content: MailContent | null;
}

export interface Voice extends FrameLook, Language {}

export function voiceOf({ appearance }: Pick<ReaderDelivery, "appearance">): Voice {
  const appearanceSettings = appearanceOfRow(appearance as Parameters<typeof appearanceOfRow>[0]);
  return {
    ...languageIn(appearanceSettings),
    accent: accentColours(appearanceSettings.accent),
    font: mailFonts[appearanceSettings.font],
    // Always-light pages have light emails; for dark ones the reader's client decides.
    dark: appearanceSettings.theme !== "light",
    logoDark: appearanceSettings.logo_dark_url,
  };
}

const directionOf = ({ title }: PostHead, { dir }: Voice): "ltr" | "rtl" => textDirection(title) ?? dir;

export const lookOfContent = (post: PostHead, voice: Voice): Required<MailLook> => ({
  accent: voice.accent.light.accent,
  dir: directionOf(post, voice),
  words: voice.words.content,
});

export async function renderPost(
  { content_raw, images = null, ...post }: PostHead & { content_raw: unknown; images?: unknown },
  base: string,
  voice: Voice,
): Promise<RenderedPost> {
  const content = mailOfBlocks(cleanBlocks(content_raw), base, longestContent, lookOfContent(post, voice));
  if (images === null) return { post, content };
  const sealed = (text: string) => withImageAddresses(text, images as ImageAddresses);
  return { post, content: { ...content, html: sealed(content.html), text: sealed(content.text) } };
}

/** Display name without quotes and bidi controls. */
const asName = (name: string): string => asLine(name.replace(/["\\<>\u202a-\u202e\u2066-\u2069]/g, " "));

const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

interface Words {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  reason: string;
  /** Bulk headers: no auto-replies, one-click unsubscribe. */
  bulk: boolean;
  dir?: "ltr" | "rtl";
}

export function mailOf(
  delivery: Delivery,
  posts: readonly RenderedPost[],
  { publicUrl, from }: { publicUrl: string; from: string },
): Message {
  if (isForOwner(delivery.kind)) return ownerMail(delivery, publicUrl);
  if (isForMember(delivery.kind)) return memberMail(delivery, publicUrl);
  if (delivery.kind === "report_question") return questionMail(delivery, publicUrl);
  return readerMail(delivery, posts, { publicUrl, from });
}

export function readerMail(
  delivery: ReaderDelivery,
  posts: readonly RenderedPost[],
  { publicUrl, from }: { publicUrl: string; from: string },
): Message {
  const origin = originOf(publicUrl, delivery);
  // Our own subdomain: keys and permanent image URLs must not depend on a custom domain that may change owners.
  const below = originBelow(publicUrl, delivery.subdomain);
  // The app's host, because a subdomain can change owners.
  const own = delivery.token === null ? `${origin}/releases` : `${publicUrl}/releases/subscription/${delivery.token}`;
  const voice = voiceOf(delivery);
  const { subject, preheader, html, text, reason, bulk, dir } = wordsOf(delivery, posts, { origin, own, voice });
  const { mail: words } = voice.words;
  const absolute = (url: string | null): string | null => {
    const safe = safeImageUrl(url ?? "");
    return safe && new URL(safe, below).href;
  };
  const links = bulk ? `<br><a href="${own}" style="color:inherit">${escapeHtml(words.manage)}</a>` : "";
  const foot = `${escapeHtml(reason)}${links}`;
  const sender = asName(delivery.sender_name ?? delivery.workspace_name) || delivery.subdomain;
  return {
    to: delivery.email,
    from: `"${asName(words.via(sender, "Tidings"))}" <${addressOf(from)}>`,
    ...(delivery.reply_to !== null && { replyTo: delivery.reply_to }),
    subject: asLine(subject),
    html: mailFrame({
      name: delivery.workspace_name,
      home: `${origin}/releases`,
      logo: absolute(delivery.logo_url),
      subject,
      preheader,
      body: html,
      foot,
      look: { ...voice, logoDark: absolute(voice.logoDark) },
      ...(dir !== undefined && { dir }),
    }),
    text: `${text}\n\n--\n${reason}${bulk ? `\n${words.manage}: ${own}` : ""}\n`,
    key: delivery.id,
    headers: {
      "Message-ID": `<${delivery.id}@${new URL(publicUrl).hostname}>`,
      "Auto-Submitted": "auto-generated",
      ...(bulk &&
        delivery.token !== null && {
          "List-Unsubscribe": `<${own}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          "List-Id": `<changelog.${new URL(below).hostname}>`,
          Precedence: "bulk",
          "Feedback-ID": `${delivery.kind}:${delivery.workspace_id}:tidings`,
        }),
    },
  };
}

interface MailParts {
  origin: string;
  own: string;
  voice: Voice;
}

function wordsOf(delivery: ReaderDelivery, posts: readonly RenderedPost[], rendered: MailParts): Words {
  const { kind, workspace_name: name } = delivery;
  const { own, voice } = rendered;
  const { mail: words } = voice.words;
  const [first] = posts;
  if (kind === "post" && first !== undefined) return { ...aboutPost(first, rendered), reason: words.asked(name), bulk: true };
  if (kind === "digest" && first !== undefined) {
    return { ...aboutPosts(posts, name, delivery.posts.length > mostInDigest, rendered), reason: words.asked(name), bulk: true };
  }
  const [subject, sentence, label, reason] =
    kind === "reminder"
      ? [words.alreadySubject(name), words.already(name), words.seeSubscription, words.alreadyReason]
      : [words.confirmSubject(name), words.confirmQuestion(name), words.confirm, words.confirmReason];
  return {
    subject,
    preheader: sentence,
    html: `${paragraph(sentence)}${button(own, label, voice)}`,
    text: `${sentence}\n\n${label}: ${own}`,
    reason,
    bulk: false,
  };
}

const postAddress = (origin: string, { slug }: PostHead): string => `${origin}/releases/${slug}?via=mail`;

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

const link = (href: string, text: string, { accent }: Voice): string =>
  `<p style="margin:0 0 16px"><a href="${escapeHtml(href)}" style="color:${accent.light.accent}">${escapeHtml(text)}</a></p>`;

const heading = (title: string, href: string): string =>
  `<h1 style="margin:0 0 8px;font-size:26px;line-height:32px"><a href="${escapeHtml(href)}" style="color:inherit;text-decoration:none">${escapeHtml(title)}</a></h1>`;

const byline = ({ published_at, author_name, details }: PostHead, { dates, words }: Voice): string =>
  [dates.day(new Date(published_at)), author_name, ...factsOf(readDetails(details), words.page)].filter(Boolean).join(" · ");

function aboutPost({ post, content }: RenderedPost, { origin, voice }: MailParts): Omit<Words, "reason" | "bulk"> {
  const href = postAddress(origin, post);
  const more = content?.whole ? voice.words.mail.readOn : voice.words.mail.readRest;
  const own = readDetails(post.details).button;
  const readMore = own ? `${button(own.url, own.text, voice)}${link(href, more, voice)}` : button(href, more, voice);
  return {
    subject: post.title,
    preheader: shorten(post.excerpt, 120),
    html: `${heading(post.title, href)}<p class="m-muted" style="margin:0 0 24px;color:#5f574c;font-size:14px">${escapeHtml(byline(post, voice))}</p>
${content?.html || (post.excerpt && paragraph(shorten(post.excerpt, 300)))}
${readMore}`,
    text: `${post.title}\n${byline(post, voice)}\n\n${content?.text ?? post.excerpt}\n\n${own ? `${own.text}: ${own.url}\n` : ""}${more}: ${href}`,
    dir: directionOf(post, voice),
  };
}

function aboutPosts(
  posts: readonly RenderedPost[],
  name: string,
  more: boolean,
  { origin, voice }: MailParts,
): Omit<Words, "reason" | "bulk"> {
  const subject = posts.length === 1 ? `${posts[0]!.post.title} · ${name}` : voice.words.mail.updatesFrom(posts.length, name);
  const [all, label] = [`${origin}/releases`, voice.words.page.seeAll];
  const entries = posts.map(({ post }) => ({ post, href: postAddress(origin, post), about: shorten(post.excerpt, 300) }));
  return {
    subject,
    preheader: posts
      .map(({ post }) => post.title)
      .join(" · ")
      .slice(0, 120),
    html: `${entries
      .map(({ post, href, about }) => {
        const dir = directionOf(post, voice);
        const side = dir === "rtl" ? "right" : "left";
        return `<div dir="${dir}" style="text-align:${side}"><h2 style="margin:0 0 4px;font-size:20px;line-height:28px"><a href="${escapeHtml(href)}" style="color:${voice.accent.light.accent}">${escapeHtml(post.title)}</a></h2>
<p class="m-muted" style="margin:0 0 8px;color:#5f574c;font-size:14px">${escapeHtml(byline(post, voice))}</p>
<p style="margin:0 0 28px">${escapeHtml(about)}</p></div>`;
      })
      .join("\n")}${more ? `\n${button(all, label, voice)}` : ""}`,
    text: entries
      .map(({ post, href, about }) => `${post.title}\n${byline(post, voice)}\n${about}\n${href}`)
      .concat(more ? `${label}: ${all}` : [])
      .join("\n\n"),
  };
}
