import { z } from "zod";
import { analytics, analyticsEnds, checkEnds } from "../analytics.ts";
import type { ApiKeyScope } from "../api-key-scopes.ts";
import { markdownMaxLength } from "../blocks/limits.ts";
import { detailFields, pinEndsFirst, postDetails } from "../details.ts";
import { id, time } from "../fields.ts";
import { postStatuses } from "../kinds.ts";
import { imageMaxBytes, searchTermMaxLength, tagMaxLength, tagsPerPost, titleMaxLength } from "../limits.ts";
import { summary, tags, title } from "../posts.ts";
import { noteMaxLength, proposalSummary, review, reviewNote } from "../reviews.ts";
import { subscriberNumbers } from "../subscribers.ts";
import { tag } from "../tag-endpoints.ts";
import { externalId } from "../v1/posts.ts";
import { figure } from "../rules/figure.ts";

/**
 * MCP tools in the texts models read. Identical for every caller, whatever the key's scopes, so clients can cache the list. Input is
 * strict: a misspelled field must fail. Readers' input (comments, search terms, referrers) is never returned.
 */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The key needs one of these; empty: any key. */
  readonly scopes: readonly ApiKeyScope[];
  readonly input: Input;
  readonly output: Output;
  /** Hints that clients use to decide about confirmation. */
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

function tool<Input extends z.ZodType, Output extends z.ZodType>(definition: Tool<Input, Output>): Tool<Input, Output> {
  return definition;
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

const count = z.int().nonnegative();

export const toolPost = z.object({
  id,
  title: z.string(),
  status: z.enum(postStatuses),
  version: z.int().describe("Pass it as expected_version to change the post"),
  tags: z.array(z.string()),
  summary: z.string().nullable(),
  url: z.string().nullable().describe("Public URL; null while the post isn't public"),
  edit_url: z.string().describe("URL of the editor for team members"),
  external_id: z.string().nullable(),
  publish_at: time.nullable(),
  published_at: time.nullable(),
  updated_at: time,
  requests: z.array(z.string()).describe("Issues and pull requests that the post answers, for the team"),
  product_version: postDetails.shape.version,
  ...postDetails.pick({ component: true, breaking: true, security: true }).shape,
});
export type ToolPost = z.infer<typeof toolPost>;

/** Without people: assistants get no data about the team. */
export const toolReview = review.pick({
  ...{ id: true, version: true, state: true, publish_at: true, note: true, asked_at: true, decided_at: true, decision_note: true },
});
export const toolProposal = proposalSummary.pick({
  ...{ id: true, post_id: true, base_version: true, state: true, title: true, note: true, proposed_at: true },
});

const postId = id.describe("The post's id from list_posts or get_post");
const expectedVersion = z
  .int({ error: "Please send the version from get_post" })
  .positive({ error: "Please send the version from get_post" })
  .describe("The version from get_post. If someone changed the post since, nothing is written");
const markdownText = z
  .string({ error: "Please send the text as Markdown" })
  .max(markdownMaxLength, { error: `The Markdown can have at most ${figure(markdownMaxLength)} characters` })
  .describe("The whole text in Markdown, without the title as a heading");
const titleText = title.describe(`One line, at most ${titleMaxLength} characters`);
const summaryText = summary.describe("A sentence or two for lists and emails; null removes it");
const tagList = tags.describe(`At most ${tagsPerPost} tags by key or name; see list_tags`);
const note = reviewNote.describe(`A note to the approver, at most ${figure(noteMaxLength)} characters`);
const later = time.describe("A future time in ISO 8601 with a zone, such as 2030-01-31T09:00:00Z");
const notify = z.boolean().optional().describe("Email subscribers on publication; default true");

const details = {
  product_version: detailFields.version.describe("The version of the product that the post is about, such as 1.12.0; null removes it"),
  component: detailFields.component.describe("The part of the product, such as Server; null removes it"),
  breaking: detailFields.breaking.describe("True if readers must change something before they update"),
  security: detailFields.security.describe("True if it fixes a vulnerability"),
  button: detailFields.button.describe("A link shown as a button below the text; null removes it"),
  pinned_until: detailFields.pinned_until.describe("First on the page and in the widget until this time; null unpins it"),
  expires_at: detailFields.expires_at.describe("Leaves the widget at this time; null: never"),
};
const changes = {
  ...details,
  title: titleText.optional(),
  markdown: markdownText.optional(),
  summary: summaryText,
  tags: tagList.optional(),
};
const says = (sent: object, fields: readonly string[]) => fields.some((field) => (sent as Record<string, unknown>)[field] !== undefined);
const changed = ["title", "markdown", "summary", "tags", ...Object.keys(details)];
const changesSomething = {
  check: (sent: object) => says(sent, changed),
  complaint: { path: ["markdown"], error: "Please send at least one change, such as title, markdown, summary or tags" },
};

/** `review_requested`: a team member was asked; `handed_over`: a person publishes at edit_url; `declined`: the person said no. */
const publication = (done: "published" | "scheduled") =>
  z.object({
    outcome: z.enum([done, "review_requested", "handed_over", "declined"]),
    post: toolPost,
    review: toolReview.nullable().describe("The pending approval; null if none was requested"),
  });

/** Numbers and post titles only, never visitors' input or referrers. */
const numbers = analytics.pick({ from: true, to: true, totals: true, previous: true, days: true, posts: true, sources: true, since: true });

export const tools = {
  list_posts: tool({
    name: "list_posts",
    title: "List posts",
    description:
      "Lists the workspace's posts, last edited first: title, status, version, tags, URL. Excludes archived posts unless status asks for them. With updated_since, lists posts edited since then, oldest edit first, including archived ones.",
    scopes: ["posts:read"],
    input: z.strictObject({
      status: z
        .enum(["all", ...postStatuses], { error: "Please use all, draft, scheduled, published or archived" })
        .default("all")
        .describe("Only posts with this status"),
      tag: z.string().trim().min(1).max(tagMaxLength).optional().describe("Only posts with this tag key"),
      updated_since: time.optional().describe("Only posts edited since this time, in ISO 8601 with a zone"),
      limit: z
        .int({ error: "Please ask for 1 to 50" })
        .min(1, { error: "Please ask for 1 to 50" })
        .max(50, { error: "Please ask for 1 to 50" })
        .default(20)
        .describe("Number of results"),
      cursor: z
        .string()
        .max(500, { error: "This isn't a valid next_cursor" })
        .optional()
        .describe("The next_cursor of the previous page, with the same filter"),
    }),
    output: z.object({ posts: z.array(toolPost), next_cursor: z.string().nullable().describe("null on the last page") }),
    annotations: reads,
  }),
  get_post: tool({
    name: "get_post",
    title: "Read a post",
    description:
      "Reads one post: Markdown text, version, status, public URL, editor URL and pending approval. Read a post before you change it: update_draft and the other tools need its version.",
    scopes: ["posts:read"],
    input: z.strictObject({ id: postId }),
    output: z.object({
      post: toolPost.extend({
        ...postDetails.pick({ button: true, pinned_until: true, expires_at: true }).shape,
        markdown: z.string(),
      }),
      waiting: z
        .object({ review: toolReview.nullable(), proposals: z.array(toolProposal) })
        .describe("The pending decision about this post"),
    }),
    annotations: reads,
  }),
  search_public: tool({
    name: "search_public",
    title: "Search public posts",
    description:
      "Searches the workspace's published posts as readers can: every word must appear in title, tags or text. Never returns drafts, and returns nothing while the public page is off.",
    scopes: [],
    input: z.strictObject({
      query: z
        .string({ error: "What are you looking for?" })
        .trim()
        .min(1, { error: "What are you looking for?" })
        .max(searchTermMaxLength, { error: `Please use at most ${searchTermMaxLength} characters` })
        .describe("Search terms"),
      limit: z
        .int({ error: "Please ask for 1 to 20" })
        .min(1, { error: "Please ask for 1 to 20" })
        .max(20, { error: "Please ask for 1 to 20" })
        .default(10)
        .describe("Number of results"),
    }),
    output: z.object({
      releases: z.array(
        z.object({ id, title: z.string(), url: z.string(), excerpt: z.string(), tags: z.array(z.string()), published_at: time }),
      ),
      total: count.describe("Total number of matches"),
    }),
    annotations: reads,
  }),
  list_tags: tool({
    name: "list_tags",
    title: "List tags",
    description: "Lists the workspace's tags with their keys and the number of posts that have them.",
    scopes: ["posts:read"],
    input: z.strictObject({}),
    output: z.object({ tags: z.array(tag.extend({ posts: count })) }),
    annotations: reads,
  }),
  create_draft: tool({
    name: "create_draft",
    title: "Create a draft",
    description:
      "Creates a draft from Markdown. Only the team can see it until a person publishes it. Call release_notes_context first: it returns the team's house style, its tags, and existing drafts and posts. Returns the draft with its editor URL.",
    scopes: ["posts:write"],
    input: z
      .strictObject({
        title: titleText,
        markdown: markdownText,
        summary: summaryText,
        tags: tagList.optional(),
        external_id: externalId
          .optional()
          .describe("Your own id for it, such as a release's tag. If a post with that id exists, no new one is created"),
        ...details,
      })
      .refine(pinEndsFirst.check, pinEndsFirst.complaint),
    output: z.object({ post: toolPost }),
    annotations: adds,
  }),
  update_draft: tool({
    name: "update_draft",
    title: "Update a draft",
    description:
      "Updates a draft: absent fields stay, markdown replaces the whole text. Fails for scheduled or published posts: use propose_change instead. Fails with the current version if someone changed the draft since you read it: read it again and keep their changes.",
    scopes: ["posts:write"],
    input: z
      .strictObject({ id: postId, expected_version: expectedVersion, ...changes })
      .refine(changesSomething.check, changesSomething.complaint)
      .refine(pinEndsFirst.check, pinEndsFirst.complaint),
    output: z.object({ post: toolPost }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  }),
  propose_change: tool({
    name: "propose_change",
    title: "Propose a change",
    description:
      "Proposes a change to a post that readers can see. The post stays unchanged until a team member accepts the proposal. Absent fields stay, markdown replaces the whole text.",
    scopes: ["posts:write"],
    input: z
      .strictObject({ id: postId, expected_version: expectedVersion, ...changes, note })
      .refine(changesSomething.check, changesSomething.complaint)
      .refine(pinEndsFirst.check, pinEndsFirst.complaint),
    output: z.object({ proposal: toolProposal, review_url: z.string().describe("URL where a team member accepts or rejects it") }),
    annotations: adds,
  }),
  request_review: tool({
    name: "request_review",
    title: "Request approval",
    description:
      "Asks the workspace's owner and admins to approve a draft for publication, at once or at a given time. Nothing is published without their approval. Replaces a pending request.",
    scopes: ["posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, publish_at: later.optional(), note }),
    output: z.object({ review: toolReview, post: toolPost }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }),
  schedule: tool({
    name: "schedule",
    title: "Schedule a post",
    description:
      "Schedules a draft. A person is always asked first, with the title, the URL and the number of emails. If your client can't ask, or the key can't publish, nothing is scheduled: the tool requests a review or returns the editor URL.",
    scopes: ["posts:publish", "posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, publish_at: later, notify }),
    output: publication("scheduled"),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  }),
  publish: tool({
    name: "publish",
    title: "Publish a post",
    description:
      "Publishes a draft now and emails subscribers. A person is always asked first, with the title, the URL and the number of emails. If your client can't ask, or the key can't publish, nothing is published: the tool requests a review or returns the editor URL.",
    scopes: ["posts:publish", "posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, notify }),
    output: publication("published"),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  }),
  upload_image: tool({
    name: "upload_image",
    title: "Upload an image",
    description:
      "Uploads a PNG, JPEG, WebP or GIF of at most 5 MB and returns the Markdown to show it. Images not used in a post within 30 days are deleted.",
    scopes: ["media:write"],
    input: z.strictObject({
      data: z
        .string({ error: "Please send the image in base64" })
        .min(1, { error: "Please send the image in base64" })
        .max(Math.ceil(imageMaxBytes / 3) * 4, { error: "File size must be less than 5MB" })
        .describe("The file in base64, without a data: prefix"),
      alt: z.string().trim().max(300, { error: "Please use at most 300 characters" }).optional().describe("Alternative text of the image"),
    }),
    output: z.object({ image: z.object({ url: z.string(), width: z.int(), height: z.int(), markdown: z.string() }) }),
    annotations: adds,
  }),
  get_stats: tool({
    name: "get_stats",
    title: "Read statistics",
    description:
      "Returns the number of posts and subscribers and the views of the last 30 days; with from and to also the numbers of those days. Views need the analytics add-on and are null without it. Contains no data about individual readers.",
    scopes: ["stats:read"],
    input: z
      .strictObject({
        from: analyticsEnds.from.describe("First day, such as 2026-01-01; requires to"),
        to: analyticsEnds.to.describe("Last day, in UTC; requires from"),
      })
      .superRefine(checkEnds),
    output: z.object({
      posts: z.object({ draft: count, scheduled: count, published: count, archived: count }),
      subscribers: subscriberNumbers.pick({ active: true, pending: true, paused: true, left: true, suppressed: true }),
      views: z.object({ total: count, posts: z.array(z.object({ id, title: z.string(), views: count })) }).nullable(),
      analytics: numbers.nullable(),
    }),
    annotations: reads,
  }),
  release_notes_context: tool({
    name: "release_notes_context",
    title: "Get context for release notes",
    description:
      "Returns what to know before writing: the team's house style, its tags, the language of the public page, recent posts and existing drafts, so you don't write anything twice. Call it before create_draft.",
    scopes: ["posts:read"],
    input: z.strictObject({
      since: time.optional().describe("Posts published since this time, in ISO 8601 with a zone; default: the last 20 posts"),
    }),
    output: z.object({
      house_style: z.string().nullable().describe("The team's house style; null if not set"),
      language: z.string().describe("Language of the public page, such as en"),
      page_url: z.string().nullable().describe("URL of the public page; null while it's off"),
      since: time.nullable().describe("The requested start time"),
      published: z.array(
        z.object({
          id,
          title: z.string(),
          summary: z.string(),
          tags: z.array(z.string()),
          url: z.string().nullable(),
          published_at: time,
        }),
      ),
      more_published: z.boolean().describe("More posts exist"),
      unpublished: z
        .array(
          toolPost
            .pick({
              id: true,
              title: true,
              external_id: true,
              status: true,
              version: true,
              tags: true,
              updated_at: true,
              publish_at: true,
              edit_url: true,
            })
            .extend({ summary: z.string() }),
        )
        .describe("Scheduled posts by publication time, then drafts, last edited first"),
      more_unpublished: z.boolean().describe("More posts exist"),
      tags: z.array(tag.extend({ posts: count })).describe("The 100 most used tags; list_tags returns all"),
    }),
    annotations: reads,
  }),
} as const;

export type ToolName = keyof typeof tools;
export const toolNames = Object.keys(tools) as ToolName[];
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]["input"]>;
export type ToolOutput<Name extends ToolName> = z.input<(typeof tools)[Name]["output"]>;
