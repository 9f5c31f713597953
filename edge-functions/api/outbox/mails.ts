import { lookOf } from "#contract/appearance-choices.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { type MailContent, type MailLook, mailOfBlocks } from "#contract/blocks/to-mail.ts";
import type { AnswerOf } from "#contract/database.ts";
import { accentColours } from "#contract/rules/accent.ts";
import { textDirection } from "#contract/rules/text-direction.ts";
import { type Language, languageIn } from "#contract/i18n/index.ts";
import type { Message } from "../../_shared/mail.ts";
import type { PostHead } from "../../_shared/outbox.ts";
import { originBelow, originOf } from "../../_shared/public-origin.ts";
import { asLine, button, type FrameLook, mailFonts, mailFrame } from "./mail-frame.ts";
import { isForMember, memberMail } from "./member-mails.ts";
import { isForOwner, ownerMail } from "./owner-mails.ts";
import { questionMail } from "./report-mail.ts";

export type Delivery = AnswerOf<"claim_mails">[number];
export type MailedPost = AnswerOf<"mail_posts">[number];

/** Gmail hides what goes beyond 102 kB; the frame needs some of it. */
const longestContent = 85_000;

/** Posts that a digest names; a delivery has one id more where there are more (claim_mails in supabase/schemas/76-email.sql). */
export const mostInDigest = 50;

/** What a mail tells of: a post and, where the mail has all of it, its content, rendered once for all who get it. */
export interface ToldPost {
  post: PostHead;
  content: MailContent | null;
}

/** A workspace's language and look, as its mails have them. */
export interface Voice extends FrameLook, Language {}

export function voiceOf({ appearance }: Pick<Delivery, "appearance">): Voice {
  const look = lookOf(appearance as Parameters<typeof lookOf>[0]);
  return {
    ...languageIn(look),
    accent: accentColours(look.accent),
    font: mailFonts[look.font],
    // A page that is always light has mails that are; what a dark one's shall be is for the reader's program to say.
    dark: look.theme !== "light",
    logoDark: look.logo_dark_url,
  };
}

/** Where the lines of a post begin; where its title does not say, as its workspace's language does. */
const directionOf = ({ title }: PostHead, { dir }: Voice): "ltr" | "rtl" => textDirection(title) ?? dir;

/** How the content of a post is drawn: what decides it beside its text. */
export const lookOfContent = (post: PostHead, voice: Voice): Required<MailLook> => ({
  accent: voice.accent.light.accent,
  dir: directionOf(post, voice),
  words: voice.words.content,
});

/** `base` is the origin at which the workspace's files are asked for. */
export async function renderPost({ content_raw, ...post }: MailedPost, base: string, voice: Voice): Promise<ToldPost> {
  const cleaned = cleanBlocks(content_raw);
  return { post, content: mailOfBlocks(cleaned, base, longestContent, lookOfContent(post, voice)) };
}

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
  /** Where its lines begin, if not as in the workspace's language. */
  dir?: "ltr" | "rtl";
}

/** The mail of a delivery, but of a report (report-mail.ts). `from` is the installation's own sender; `posts` are those of the delivery that are still visible. */
export function mailOf(delivery: Delivery, posts: readonly ToldPost[], { publicUrl, from }: { publicUrl: string; from: string }): Message {
  if (isForOwner(delivery.kind)) return ownerMail(delivery, publicUrl);
  if (isForMember(delivery.kind)) return memberMail(delivery, publicUrl);
  if (delivery.kind === "report_question") return questionMail(delivery, publicUrl);
  const origin = originOf(publicUrl, delivery);
  // A key of the reader's, and images that are looked at in years: neither goes with a name that somebody else may have one day.
  const below = originBelow(publicUrl, delivery.subdomain);
  const own = `${below}/releases/subscription/${delivery.token}`;
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
      ...(bulk && {
        "List-Unsubscribe": `<${own}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": `<changelog.${new URL(below).hostname}>`,
        Precedence: "bulk",
        "Feedback-ID": `${delivery.kind}:${delivery.workspace_id}:tidings`,
      }),
    },
  };
}

interface Told {
  origin: string;
  /** The reader's own page. */
  own: string;
  voice: Voice;
}

function wordsOf(delivery: Delivery, posts: readonly ToldPost[], told: Told): Words {
  const { kind, workspace_name: name } = delivery;
  const { own, voice } = told;
  const { mail: words } = voice.words;
  const [first] = posts;
  if (kind === "post" && first !== undefined) return { ...aboutPost(first, told), reason: words.asked(name), bulk: true };
  if (kind === "digest" && first !== undefined) {
    return { ...aboutPosts(posts, name, delivery.posts.length > mostInDigest, told), reason: words.asked(name), bulk: true };
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

/** Where a post can be read; the page's count then has it as one that a mail led to. */
const postAddress = (origin: string, { slug }: PostHead): string => `${origin}/releases/${slug}?via=mail`;

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

const heading = (title: string, href: string): string =>
  `<h1 style="margin:0 0 8px;font-size:26px;line-height:32px"><a href="${escapeHtml(href)}" style="color:inherit;text-decoration:none">${escapeHtml(title)}</a></h1>`;

const byline = ({ published_at, author_name }: PostHead, { dates }: Voice): string =>
  [dates.day(new Date(published_at)), author_name].filter(Boolean).join(" · ");

function aboutPost({ post, content }: ToldPost, { origin, voice }: Told): Omit<Words, "reason" | "bulk"> {
  const href = postAddress(origin, post);
  const more = content?.whole ? voice.words.mail.readOn : voice.words.mail.readRest;
  return {
    subject: post.title,
    preheader: shorten(post.excerpt, 120),
    html: `${heading(post.title, href)}<p class="m-muted" style="margin:0 0 24px;color:#5f574c;font-size:14px">${escapeHtml(byline(post, voice))}</p>
${content?.html || (post.excerpt && paragraph(shorten(post.excerpt, 300)))}
${button(href, more, voice)}`,
    text: `${post.title}\n${byline(post, voice)}\n\n${content?.text ?? post.excerpt}\n\n${more}: ${href}`,
    dir: directionOf(post, voice),
  };
}

/** Several posts: what each is about, and where it stands; where there are `more`, the way to all of them. */
function aboutPosts(posts: readonly ToldPost[], name: string, more: boolean, { origin, voice }: Told): Omit<Words, "reason" | "bulk"> {
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
