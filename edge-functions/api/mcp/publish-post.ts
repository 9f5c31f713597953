import { isEmpty } from "#contract/blocks/is-empty.ts";
import type { ToolPost } from "#contract/mcp/tools.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { latestTime } from "#contract/rules/schedule.ts";
import type { MailAudience } from "#contract/subscribers.ts";
import { AppError } from "../../_shared/errors.ts";
import { originOf } from "../../_shared/public-origin.ts";
import { findPost, type PostRow, savePost } from "../posts/queries.ts";
import { type PublicPlace, readPlace } from "../public-place.ts";
import { json } from "../result.ts";
import { readStanding } from "../reviews/queries.ts";
import { toldOf, toolPostOf } from "./present.ts";
import { type RequestedReview, askAt } from "./reviewing.ts";
import { type Answer, type ToolCall } from "./tool.ts";
import { contentOfRow, staleBy } from "./writing.ts";
import { figure } from "#contract/rules/figure.ts";

interface PublishInput {
  id: string;
  expected_version: number;
  publish_at?: string | undefined;
  notify?: boolean | undefined;
}

type Goal = "published" | "scheduled";

interface Publication<Done extends Goal> {
  outcome: Done | "review_requested" | "handed_over" | "declined";
  post: ToolPost;
  review: RequestedReview["review"] | null;
}

/** Publishes or schedules after approval: by the assistant's user if key and role allow it, else by a team member in the editor. */
export async function publishPost<Done extends Goal>(
  call: ToolCall,
  publishInput: PublishInput,
  done: Done,
): Promise<Answer<Publication<Done>>> {
  const { db, key } = call;
  const [row, place] = await Promise.all([findPost(db, publishInput.id), readPlace(db, call.key.workspaceId)]);
  const answer = (words: string, outcome: Publication<Done>["outcome"], shown = row, review: RequestedReview["review"] | null = null) => {
    const post = toolPostOf(call, shown, place);
    return { text: toldOf(words, post), structured: { outcome, post, review } };
  };
  if (done === "published" && statusAt(row, new Date()) === "published") return answer("It's already published. Nothing was done.", done);
  await refuseEarly(row, publishInput);
  const { exempt } = await readStanding(db, row.id); // false: approval is required, or the key can't publish
  if (!key.scopes.includes("posts:publish") || !exempt) {
    if (!key.scopes.includes("posts:write")) return answer(handedOver(call, row, place, done), "handed_over");
    const { review, words } = await askAt(call, row, publishInput);
    return answer(`Nothing was ${done} yet. ${words}`, "review_requested", row, review);
  }
  if (!call.canAsk) return answer(handedOver(call, row, place, done), "handed_over");
  const audience = await json<MailAudience>(db.rpc("mail_audience", { workspace_id: key.workspaceId, tags: row.tags, post_id: row.id }));
  audience.enabled &&= place.open;
  const address = `${originOf(call.env.publicUrl, place)}/releases/${row.slug}`;
  const decision = await call.ask({
    message: question(row, { place, address, audience, wish: publishInput }),
    yes: done === "published" ? "Publish now" : `Schedule it for ${readable(publishInput.publish_at!)}`,
    about: JSON.stringify([row.version, address, place.open, mailsGoOut(audience, publishInput)]),
  });
  if (decision === "no") return answer(`Nothing was ${done}: the person declined. Don't ask again unless they want you to.`, "declined");
  const patch = {
    status: done,
    ...(publishInput.publish_at !== undefined && { publish_at: publishInput.publish_at }),
    ...(publishInput.notify !== undefined && { notify: publishInput.notify }),
  };
  const saved = await savePost(db, row.id, patch, row.version);
  const mails =
    mailsGoOut(audience, publishInput) && done === "published"
      ? ` Emails are sent in ${minutes(audience.undo_minutes)} unless someone cancels them.`
      : "";
  const seen = place.open ? "" : " The public page is off, so readers see it once it's on.";
  return answer(
    done === "published" ? `It's published.${seen}${mails}` : `It's scheduled for ${readable(publishInput.publish_at!)}.${seen}`,
    done,
    saved,
  );
}

async function refuseEarly(row: PostRow, { expected_version, publish_at }: PublishInput): Promise<void> {
  if (row.version !== expected_version) throw staleBy(row);
  if (row.status === "archived") throw new AppError("archived_post_locked");
  if (statusAt(row, new Date()) === "published") throw new AppError("published_post_locked");
  const fields: Record<string, string> = {};
  if (row.title.trim() === "") fields["title"] = "Title is required";
  if (isEmpty(await contentOfRow(row))) fields["markdown"] = "Content is required";
  if (publish_at !== undefined && Date.parse(publish_at) <= Date.now()) fields["publish_at"] = "Please choose a time in the future";
  if (publish_at !== undefined && Date.parse(publish_at) > latestTime(new Date()).getTime())
    fields["publish_at"] = "Please choose a time within the next ten years";
  if (Object.keys(fields).length > 0) throw new AppError("validation_failed", { fields });
}

const handedOver = (call: ToolCall, row: PostRow, place: PublicPlace, done: Goal): string =>
  `Nothing was ${done}. ${call.key.scopes.includes("posts:publish") ? "Your client can't ask a person" : "This key can't publish"}, ` +
  `so a person has to do it. Give them this link: ${toolPostOf(call, row, place).edit_url}`;

const mailsGoOut = ({ enabled, told, quiet }: MailAudience, { notify }: PublishInput): boolean =>
  enabled && !told && !quiet && notify !== false;

interface PublishFacts {
  place: PublicPlace;
  address: string;
  audience: MailAudience;
  wish: PublishInput;
}

function question({ title, version, status }: PostRow, { place, address, audience, wish }: PublishFacts): string {
  const when = wish.publish_at === undefined ? "Publish this post now?" : `Publish this post on ${readable(wish.publish_at)}?`;
  const readers = place.open ? "Anyone who opens your public page." : "No one yet, because your public page is off.";
  return [
    when,
    "",
    `Title: ${quoted(title)}`,
    `Version: ${version}${status === "scheduled" ? " (scheduled until now for another time)" : ""}`,
    `URL: ${address}`,
    `Visible to: ${readers}`,
    `Emails: ${mailsOf(audience, wish)}`,
  ].join("\n");
}

/** Prevents spoofed lines: the title is quoted on one line, without invisible characters (bidi overrides, terminal codes) but joiners. */
const quoted = (title: string): string => {
  const line = title
    .replace(/(?:[\p{Cc}\s]|(?![\u200c\u200d])\p{Cf})+/gu, " ")
    .replace(/[“”]/g, '"')
    .trim();
  return `“${line}”`;
};

function mailsOf(audience: MailAudience, publishInput: PublishInput): string {
  if (audience.told) return "None: subscribers already got it.";
  if (!mailsGoOut(audience, publishInput)) return "None.";
  const digests = audience.digests === 0 ? "" : `, and ${readersOf(audience.digests)} get it in a digest`;
  return `${readersOf(audience.now)} ${audience.now === 1 ? "gets" : "get"} one${digests}.`;
}

const readersOf = (count: number): string => (count === 1 ? "1 reader" : `${figure(count)} readers`);
const minutes = (count: number): string => (count === 1 ? "a minute" : `${count} minutes`);

/** UTC, as the user's zone is unknown. */
const readable = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace("T", " at ")} UTC`;
