import { z } from "zod";
import { analytics, analyticsEnds, checkEnds } from "../analytics.ts";
import type { ApiKeyScope } from "../api-key-scopes.ts";
import { markdownMaxLength } from "../blocks/limits.ts";
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
 * What assistants may do, tool by tool, in the words that they read. Names, order and texts are the same for everybody who asks, whatever a key
 * may: a list that depends on nothing can be kept. Input is strict: a model that misspells a field must hear of it. What readers wrote (comments,
 * terms they searched for, pages they came from) is in no answer.
 */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One of these a key needs for it; none: any key will do. */
  readonly scopes: readonly ApiKeyScope[];
  readonly input: Input;
  readonly output: Output;
  /** What a client may rely on when it decides whether to ask its person first. */
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
/** Makes something beside what is there. */
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

const count = z.int().nonnegative();

/** A post as every answer names it. `edit_url`: where a person of the team opens it in the editor. */
export const toolPost = z.object({
  id,
  title: z.string(),
  status: z.enum(postStatuses),
  version: z.int().describe("What expected_version of a change has to say"),
  tags: z.array(z.string()),
  summary: z.string().nullable(),
  url: z.string().nullable().describe("Where readers find it; null while they do not"),
  edit_url: z.string().describe("Where a person of the team opens it in the editor"),
  external_id: z.string().nullable(),
  publish_at: time.nullable(),
  published_at: time.nullable(),
  updated_at: time,
});
export type ToolPost = z.infer<typeof toolPost>;

/** Without people: of its team an assistant is told nothing. */
export const toolReview = review.pick({
  ...{ id: true, version: true, state: true, publish_at: true, note: true, asked_at: true, decided_at: true, decision_note: true },
});
export const toolProposal = proposalSummary.pick({
  ...{ id: true, post_id: true, base_version: true, state: true, title: true, note: true, proposed_at: true },
});

const postId = id.describe("The post's id, as list_posts and get_post give it");
const expectedVersion = z
  .int({ error: "Please send the version that get_post gave" })
  .positive({ error: "Please send the version that get_post gave" })
  .describe("The version that you read with get_post. If somebody changed the post since, nothing is written");
const markdownText = z
  .string({ error: "Please send the text as Markdown" })
  .max(markdownMaxLength, { error: `The Markdown can have at most ${figure(markdownMaxLength)} characters` })
  .describe("The whole text in Markdown, without the title as a heading");
const titleText = title.describe(`One line, at most ${titleMaxLength} characters`);
const summaryText = summary.describe("A sentence or two for lists and mails; null takes it away");
const tagList = tags.describe(`At most ${tagsPerPost} tags by key or name, see list_tags`);
const note = reviewNote.describe(`What the person who decides should know, at most ${figure(noteMaxLength)} characters`);
const later = time.describe("A time to come in ISO 8601 with a zone, such as 2030-01-31T09:00:00Z");
const notify = z.boolean().optional().describe("Whether readers who asked for it get a mail; absent: yes");

/** All that an update may say of a post; absent fields stay. */
const changes = {
  title: titleText.optional(),
  markdown: markdownText.optional(),
  summary: summaryText,
  tags: tagList.optional(),
};
const says = (sent: object, fields: readonly string[]) => fields.some((field) => (sent as Record<string, unknown>)[field] !== undefined);
const changed = ["title", "markdown", "summary", "tags"] as const;
const changesSomething = {
  check: (sent: object) => says(sent, changed),
  complaint: { path: ["markdown"], error: "Please say what changes: title, markdown, summary or tags" },
};

/**
 * How asking to publish ended. `review_requested`: a person of the team was asked to approve it; `handed_over`: nothing was done, a person
 * publishes it at edit_url; `declined`: the person who was asked said no.
 */
const publication = (done: "published" | "scheduled") =>
  z.object({
    outcome: z.enum([done, "review_requested", "handed_over", "declined"]),
    post: toolPost,
    review: toolReview.nullable().describe("What waits for approval; null where nothing was asked"),
  });

/** Numbers, and titles of posts: what visitors typed or where they came from is not in it. */
const numbers = analytics.pick({ from: true, to: true, totals: true, previous: true, days: true, posts: true, sources: true, since: true });

export const tools = {
  list_posts: tool({
    name: "list_posts",
    title: "List posts",
    description:
      "Lists the posts of the workspace, last edited first: title, status, version, tags, address. Archived posts are left out unless status asks for them. With updated_since it lists what was edited since then, the earliest first, archived posts too.",
    scopes: ["posts:read"],
    input: z.strictObject({
      status: z
        .enum(["all", ...postStatuses], { error: "Please use all, draft, scheduled, published or archived" })
        .default("all")
        .describe("Only posts of this status"),
      tag: z.string().trim().min(1).max(tagMaxLength).optional().describe("Only posts with this tag, by its key"),
      updated_since: time.optional().describe("Only posts edited since this time, in ISO 8601 with a zone"),
      limit: z
        .int({ error: "Please ask for 1 to 50" })
        .min(1, { error: "Please ask for 1 to 50" })
        .max(50, { error: "Please ask for 1 to 50" })
        .default(20)
        .describe("How many"),
      cursor: z
        .string()
        .max(500, { error: "This is no next_cursor of an answer" })
        .optional()
        .describe("The next_cursor of the answer before, with the same filter"),
    }),
    output: z.object({ posts: z.array(toolPost), next_cursor: z.string().nullable().describe("Null: these were the last") }),
    annotations: reads,
  }),
  get_post: tool({
    name: "get_post",
    title: "Read a post",
    description:
      "Reads one post: its text in Markdown, its version, its status, where readers find it, where a person edits it, and what waits for approval. Read a post before you change it: update_draft and the others need its version.",
    scopes: ["posts:read"],
    input: z.strictObject({ id: postId }),
    output: z.object({
      post: toolPost.extend({ markdown: z.string() }),
      waiting: z
        .object({ review: toolReview.nullable(), proposals: z.array(toolProposal) })
        .describe("What a person of the team has yet to decide about this post"),
    }),
    annotations: reads,
  }),
  search_public: tool({
    name: "search_public",
    title: "Search what readers see",
    description:
      "Searches the published posts of the workspace as its readers can: every word has to stand in title, tags or text. Finds nothing while the public page is closed, and never a draft.",
    scopes: [],
    input: z.strictObject({
      query: z
        .string({ error: "What are you looking for?" })
        .trim()
        .min(1, { error: "What are you looking for?" })
        .max(searchTermMaxLength, { error: `Please use at most ${searchTermMaxLength} characters` })
        .describe("Words to look for"),
      limit: z
        .int({ error: "Please ask for 1 to 20" })
        .min(1, { error: "Please ask for 1 to 20" })
        .max(20, { error: "Please ask for 1 to 20" })
        .default(10)
        .describe("How many"),
    }),
    output: z.object({
      releases: z.array(
        z.object({ id, title: z.string(), url: z.string(), excerpt: z.string(), tags: z.array(z.string()), published_at: time }),
      ),
      total: count.describe("How many there are in all"),
    }),
    annotations: reads,
  }),
  list_tags: tool({
    name: "list_tags",
    title: "List tags",
    description: "Lists the tags of the workspace with the key by which posts carry them and how many posts do.",
    scopes: ["posts:read"],
    input: z.strictObject({}),
    output: z.object({ tags: z.array(tag.extend({ posts: count })) }),
    annotations: reads,
  }),
  create_draft: tool({
    name: "create_draft",
    title: "Write a draft",
    description:
      "Makes a new draft from Markdown. Nobody but the team sees it until a person publishes it. Call release_notes_context first: it has the team's house style, its tags, and what is drafted or published already. Answers the draft with the link where a person opens it.",
    scopes: ["posts:write"],
    input: z.strictObject({
      title: titleText,
      markdown: markdownText,
      summary: summaryText,
      tags: tagList.optional(),
      external_id: externalId
        .optional()
        .describe("A name of yours for it, such as a release's tag. If there is a post of that name already, none is made"),
    }),
    output: z.object({ post: toolPost }),
    annotations: adds,
  }),
  update_draft: tool({
    name: "update_draft",
    title: "Change a draft",
    description:
      "Changes a draft: fields that are absent stay, markdown replaces the whole text. Refused for a post that is scheduled or published: use propose_change there. Refused, with the present version, if somebody changed the draft since you read it: read it again and keep what they wrote.",
    scopes: ["posts:write"],
    input: z
      .strictObject({ id: postId, expected_version: expectedVersion, ...changes })
      .refine(changesSomething.check, changesSomething.complaint),
    output: z.object({ post: toolPost }),
    // What stood there before is kept as a version, so nothing is lost for good; a client that asks about destruction should still ask.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  }),
  propose_change: tool({
    name: "propose_change",
    title: "Propose a change",
    description:
      "Proposes a change of a post that readers see already. The post stays as it is until a person of the team accepts the proposal. Fields that are absent stay, markdown replaces the whole text.",
    scopes: ["posts:write"],
    input: z
      .strictObject({ id: postId, expected_version: expectedVersion, ...changes, note })
      .refine(changesSomething.check, changesSomething.complaint),
    output: z.object({ proposal: toolProposal, review_url: z.string().describe("Where a person of the team decides about it") }),
    annotations: adds,
  }),
  request_review: tool({
    name: "request_review",
    title: "Ask a person to publish",
    description:
      "Asks the owner and the administrators of the workspace to approve a draft, to be published at once or at a time. Nothing is published until one of them says yes. A request that waits already gives way to this one.",
    scopes: ["posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, publish_at: later.optional(), note }),
    output: z.object({ review: toolReview, post: toolPost }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }),
  schedule: tool({
    name: "schedule",
    title: "Schedule a post",
    description:
      "Publishes a draft at a time to come. A person is always asked first, with the title, the address and how many mails go out. Where your client cannot ask, or the key may not publish, nothing is scheduled: a review is requested or the link is answered where a person does it.",
    scopes: ["posts:publish", "posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, publish_at: later, notify }),
    output: publication("scheduled"),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  }),
  publish: tool({
    name: "publish",
    title: "Publish a post",
    description:
      "Publishes a draft now: readers see it, and those who asked for it get a mail. A person is always asked first, with the title, the address and how many mails go out. Where your client cannot ask, or the key may not publish, nothing is published: a review is requested or the link is answered where a person does it.",
    scopes: ["posts:publish", "posts:write"],
    input: z.strictObject({ id: postId, expected_version: expectedVersion, notify }),
    output: publication("published"),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  }),
  upload_image: tool({
    name: "upload_image",
    title: "Keep an image",
    description:
      "Keeps a PNG, JPEG, WebP or GIF of at most 5 MB and answers the Markdown by which a post shows it. An image that no post shows within 30 days is removed.",
    scopes: ["media:write"],
    input: z.strictObject({
      data: z
        .string({ error: "Please send the image in base64" })
        .min(1, { error: "Please send the image in base64" })
        .max(Math.ceil(imageMaxBytes / 3) * 4, { error: "File size must be less than 5MB" })
        .describe("The bytes of the file in base64, without data: in front"),
      alt: z.string().trim().max(300, { error: "Please use at most 300 characters" }).optional().describe("What the image shows, in words"),
    }),
    output: z.object({ image: z.object({ url: z.string(), width: z.int(), height: z.int(), markdown: z.string() }) }),
    annotations: adds,
  }),
  get_stats: tool({
    name: "get_stats",
    title: "Read the numbers",
    description:
      "How many posts and subscribers there are, and how often posts were read in the last 30 days; with from and to also the numbers of those days. Numbers of readings need the analytics add-on and are null without it. Nothing in it says who a reader is.",
    scopes: ["stats:read"],
    input: z
      .strictObject({
        from: analyticsEnds.from.describe("The first day, such as 2026-01-01; with to"),
        to: analyticsEnds.to.describe("The last day, in UTC; with from"),
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
    title: "What release notes need to know",
    description:
      "What to know before writing: the team's house style, its tags, the language of the public page, what was published lately and what is drafted already, so that nothing is written twice. Call it before create_draft.",
    scopes: ["posts:read"],
    input: z.strictObject({
      since: time
        .optional()
        .describe("What was published since this time, in ISO 8601 with a zone; absent: the last 20 posts, however old"),
    }),
    output: z.object({
      house_style: z.string().nullable().describe("How the team wants to sound, in its own words; null: nobody has said"),
      language: z.string().describe("Of the public page, such as en"),
      page_url: z.string().nullable().describe("The public page; null while it is closed"),
      since: time.nullable().describe("As it was asked for"),
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
      more_published: z.boolean().describe("There are more than these"),
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
        .describe("What is under way: scheduled posts in the order in which they come out, then drafts, last edited first"),
      more_unpublished: z.boolean().describe("There are more than these"),
      tags: z.array(tag.extend({ posts: count })).describe("The 100 that most posts carry; list_tags has all"),
    }),
    annotations: reads,
  }),
} as const;

export type ToolName = keyof typeof tools;
export const toolNames = Object.keys(tools) as ToolName[];
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]["input"]>;
export type ToolOutput<Name extends ToolName> = z.input<(typeof tools)[Name]["output"]>;
