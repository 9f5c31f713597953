import { shorten } from "#contract/blocks/excerpt.ts";
import type { shownMessage, WebhookKind } from "#contract/webhooks.ts";
import type { z } from "zod";
import { originOf } from "../../_shared/public-origin.ts";
import type { WebhookNotice } from "./payloads.ts";
import { once } from "#contract/rules/once.ts";

export type Chat = Exclude<WebhookKind, "webhook">;
export type Shown = z.infer<typeof shownMessage>;

interface Words extends Shown {
  workspace: string;
  home: string;
  image: { url: string; alt: string } | null;
  author: string | null;
  at: string;
}

const time = once(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }));

function wordsOf(news: WebhookNotice, publicUrl: string): Words {
  const { type, workspace, post, facts, happenedAt } = news;
  const home = `${originOf(publicUrl, workspace)}/releases`;
  const about = { workspace: workspace.name, home, image: null, author: null, at: new Date(happenedAt).toISOString(), tags: [] };
  const title = String(facts["title"] ?? "");
  if (post !== null) {
    const { url, excerpt, labels, image, author_name: author } = post;
    const isOnTheWeb = image !== null && image.url.startsWith("https://");
    return {
      ...about,
      title: type === "post.updated" ? `Updated: ${post.title}` : post.title,
      ...{ url: `${url}?via=chat`, text: excerpt, tags: labels, author },
      image: isOnTheWeb ? { url: image.url, alt: image.alt } : null,
    };
  }
  if (type === "post.unpublished") return { ...about, title, url: null, text: "This post is no longer public." };
  if (type === "post.scheduled") {
    const moment = time().format(new Date(String(facts["scheduled_for"])));
    return { ...about, title, url: null, text: `Will be published on ${moment} (UTC).` };
  }
  return { ...about, title: "It works", url: home, text: `Updates from ${workspace.name} will appear here.` };
}

export function shownOf(news: WebhookNotice, publicUrl: string): Shown {
  const { title, url, text, tags } = wordsOf(news, publicUrl);
  return { title, url, text, tags };
}

export function messageOf(chat: Chat, news: WebhookNotice, publicUrl: string): Record<string, unknown> {
  const words = wordsOf(news, publicUrl);
  return formats[chat]({
    ...words,
    title: calm(words.title),
    text: calm(words.text),
    workspace: calm(words.workspace),
    author: words.author && calm(words.author),
    tags: words.tags.map(calm),
    image: words.image && { ...words.image, alt: calm(words.image.alt) },
  });
}

/** Zero-width space after @ in @everyone and similar. */
const calm = (text: string): string => text.replace(/@(?=(?:everyone|here|channel|all|team|group)\b)/gi, "@\u200b");

const byline = ({ workspace, author, tags }: Words): string => [workspace, author, tags.join(", ")].filter(Boolean).join(" · ");

/** Slack escapes: prevents <!channel>, <@U…> and links. */
const forSlack = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const withoutMarkdown = (text: string): string => text.replace(/[\\`*_~|>#[\]()<]/g, "\\$&");

const formats: Record<Chat, (words: Words) => Record<string, unknown>> = {
  /** Block Kit limits: 150 characters a header, 3,000 a section. */
  slack: (words) => ({
    text: forSlack(`${words.workspace}: ${words.title}`),
    blocks: [
      { type: "header", text: { type: "plain_text", text: shorten(words.title, 150), emoji: false } },
      ...(words.text === ""
        ? []
        : [{ type: "section", text: { type: "mrkdwn", text: forSlack(shorten(words.text, 2_000)), verbatim: true } }]),
      ...(words.image === null
        ? []
        : [{ type: "image", image_url: words.image.url, alt_text: shorten(words.image.alt, 500) || words.title }]),
      { type: "context", elements: [{ type: "mrkdwn", text: forSlack(shorten(byline(words), 1_000)), verbatim: true }] },
      ...(words.url === null
        ? []
        : [{ type: "actions", elements: [{ type: "button", text: { type: "plain_text", text: "Read" }, url: words.url }] }]),
    ],
    unfurl_links: false,
    unfurl_media: false,
  }),
  /** Embed limits: 256 characters a title, 4,096 a description; `allowed_mentions` disables mentions. */
  discord: (words) => ({
    embeds: [
      {
        title: shorten(withoutMarkdown(words.title), 256),
        ...(words.url !== null && { url: words.url }),
        description: shorten(withoutMarkdown(words.text), 4_096),
        author: { name: shorten(words.workspace, 256), url: words.home },
        ...(words.image !== null && { image: { url: words.image.url } }),
        footer: { text: shorten(byline(words), 2_048) },
        timestamp: words.at,
      },
    ],
    allowed_mentions: { parse: [] },
  }),
  /** Adaptive Card; 28 kB limit. */
  teams: (words) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            { type: "TextBlock", text: withoutMarkdown(words.title), weight: "Bolder", size: "Medium", wrap: true },
            ...(words.image === null ? [] : [{ type: "Image", url: words.image.url, altText: shorten(words.image.alt, 300) }]),
            ...(words.text === "" ? [] : [{ type: "TextBlock", text: withoutMarkdown(shorten(words.text, 2_000)), wrap: true }]),
            { type: "TextBlock", text: withoutMarkdown(shorten(byline(words), 500)), isSubtle: true, size: "Small", wrap: true },
          ],
          ...(words.url !== null && { actions: [{ type: "Action.OpenUrl", title: "Read", url: words.url }] }),
        },
      },
    ],
  }),
};
