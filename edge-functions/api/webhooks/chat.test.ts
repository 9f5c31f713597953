import { describe, expect, test } from "vitest";
import { z } from "zod";
import { noDetails } from "#contract/rules/post-details.ts";
import { messageOf, shownOf } from "./chat.ts";
import type { WebhookNotice, PostPayload } from "./payloads.ts";

const origin = "https://tidings.example";
const post = (fields: Partial<PostPayload> = {}): PostPayload => ({
  ...{ id: "p", title: "Dark mode", slug: "dark-mode", url: "https://acme.tidings.example/releases/dark-mode", excerpt: "It is dark." },
  ...{ tags: ["fix"], labels: ["Fix"], author_name: "Ada", image: null, content_text: "", requests: [], ...noDetails },
  ...{ published_at: "2026-11-22T10:00:00.000Z", updated_at: "2026-11-22T10:00:00.000Z" },
  ...fields,
});
const news = (fields: Partial<PostPayload> = {}, more: Partial<WebhookNotice> = {}): WebhookNotice => ({
  ...{ type: "post.published", happenedAt: "2026-11-22T10:00:00Z", workspace: { id: "w", name: "Acme", subdomain: "acme" } },
  ...{ post: post(fields), facts: {}, webhookId: "h" },
  ...more,
});

const text = (max: number) => z.string().min(1).max(max);
const schemas = {
  slack: z.strictObject({
    text: text(40_000),
    blocks: z
      .array(
        z.discriminatedUnion("type", [
          z.strictObject({
            type: z.literal("header"),
            text: z.strictObject({ type: z.literal("plain_text"), text: text(150), emoji: z.boolean() }),
          }),
          z.strictObject({
            type: z.literal("section"),
            text: z.strictObject({ type: z.literal("mrkdwn"), text: text(3_000), verbatim: z.literal(true) }),
          }),
          z.strictObject({ type: z.literal("image"), image_url: z.url().max(3_000), alt_text: text(2_000) }),
          z.strictObject({
            type: z.literal("context"),
            elements: z.array(z.strictObject({ type: z.literal("mrkdwn"), text: text(3_000), verbatim: z.literal(true) })).max(10),
          }),
          z.strictObject({
            type: z.literal("actions"),
            elements: z
              .array(
                z.strictObject({
                  type: z.literal("button"),
                  text: z.strictObject({ type: z.literal("plain_text"), text: text(75) }),
                  url: z.url().max(3_000),
                }),
              )
              .max(25),
          }),
        ]),
      )
      .max(50),
    unfurl_links: z.literal(false),
    unfurl_media: z.literal(false),
  }),
  discord: z.strictObject({
    embeds: z
      .array(
        z.strictObject({
          title: text(256),
          url: z.url().optional(),
          description: z.string().max(4_096),
          author: z.strictObject({ name: text(256), url: z.url() }),
          image: z.strictObject({ url: z.url() }).optional(),
          footer: z.strictObject({ text: text(2_048) }),
          timestamp: z.iso.datetime(),
        }),
      )
      .length(1),
    allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
  }),
  teams: z.strictObject({
    type: z.literal("message"),
    attachments: z
      .array(
        z.strictObject({
          contentType: z.literal("application/vnd.microsoft.card.adaptive"),
          contentUrl: z.null(),
          content: z.looseObject({
            type: z.literal("AdaptiveCard"),
            version: z.literal("1.4"),
            body: z.array(z.looseObject({ type: z.enum(["TextBlock", "Image"]) })).min(2),
            actions: z.array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: text(80), url: z.url() })).optional(),
          }),
        }),
      )
      .length(1),
  }),
};
const chats = ["slack", "discord", "teams"] as const;
const sizes = { slack: 40_000, discord: 8_000 * 4, teams: 28_000 };

describe.each(chats)("%s", (chat) => {
  test.each<[string, WebhookNotice]>([
    ["a publication", news()],
    [
      "one with an image and without words",
      news({ excerpt: "", labels: [], author_name: null, image: { url: "https://x.example/a.png", alt: "" } }),
    ],
    ["one with an image of this machine", news({ image: { url: "http://localhost:3000/a.png", alt: "A" } })],
    ["an edit", news({}, { type: "post.updated" })],
    ["an end", news({}, { type: "post.unpublished", post: null, facts: { title: "Gone" } })],
    ["a schedule", news({}, { type: "post.scheduled", post: null, facts: { title: "Soon", scheduled_for: "2026-12-01T08:00:00Z" } })],
    ["a test", news({}, { type: "webhook.ping", post: null })],
    [
      "the longest there is",
      news({ title: "𝕋".repeat(119), excerpt: "<&>*_[]()".repeat(33), labels: Array.from({ length: 20 }, () => "𝕊".repeat(40)) }),
    ],
  ])("sends %s", (_, one) => {
    const message = messageOf(chat, one, origin);
    expect(schemas[chat].parse(message)).toEqual(message);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(sizes[chat]);
  });

  test.each([
    "@everyone",
    "@here",
    "@channel",
    "<!channel>",
    "<!here>",
    "<!everyone>",
    "<!subteam^S1>",
    "<@U123>",
    "<#C123>",
    "<@&123>",
    "<at>all</at>",
    "@Team",
  ])("notifies no one by %s in a title, a text, a tag or a name", (call) => {
    const one = news(
      { title: call, excerpt: `Look ${call}`, labels: [call], author_name: call },
      { workspace: { id: "w", name: call, subdomain: "acme" } },
    );
    const said = JSON.stringify(messageOf(chat, one, origin));
    if (chat === "slack") {
      const { blocks } = messageOf(chat, one, origin) as { blocks: { type: string }[] };
      expect(JSON.stringify(blocks.filter(({ type }) => type !== "header"))).not.toMatch(/<[!@#]/);
    }
    expect(said).not.toMatch(/@(everyone|here|channel|team)\b/i);
    if (chat === "discord") expect(messageOf(chat, one, origin)["allowed_mentions"]).toEqual({ parse: [] });
    if (chat === "teams") expect(said).not.toMatch(/(?<!\\\\)<at>/);
  });

  test("escapes links and formatting in text", () => {
    const said = JSON.stringify(
      messageOf(chat, news({ excerpt: "[click](https://evil.example) <https://evil.example|here> **b**" }), origin),
    );
    if (chat === "slack") expect(said).toContain("&lt;https://evil.example|here&gt;");
    else expect(said).toContain(String.raw`\\[click\\]\\(https://evil.example\\)`);
  });
});

test("the preview equals the message", () => {
  expect(shownOf(news(), origin)).toEqual({
    title: "Dark mode",
    url: "https://acme.tidings.example/releases/dark-mode?via=chat",
    text: "It is dark.",
    tags: ["Fix"],
  });
});
