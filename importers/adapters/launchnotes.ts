import type { Adapter, EntryContent, EntryStatus, ImportEntry } from "../entry.ts";
import { finished } from "../finish.ts";
import {
  addressesOf,
  dateOf,
  type Fields,
  isAhead,
  isFields,
  looksLikeHtml,
  Missing,
  namesFields,
  namesIn,
  postsIn,
  textField,
} from "../records.ts";
import { stateNotes, statusNamed } from "../states.ts";

const product = "LaunchNotes";

function contentOf(post: Fields, base: string | undefined): EntryContent | null {
  const markdown = textField(post, "contentMarkdown");
  if (markdown !== null) return { kind: "markdown", text: markdown, base };
  const html = textField(post, "contentHtml");
  if (html !== null) return { kind: "html", text: html, base };
  const either = textField(post, "content", "body");
  return either === null ? null : { kind: looksLikeHtml(either) ? "html" : "markdown", text: either, base };
}

function statusOf(post: Fields, publishAt: string | null, now: Date): EntryStatus {
  const state = textField(post, "state", "status");
  const status = state === null ? null : (statusNamed(state) ?? "draft");
  if ((status === null || status === "published") && isAhead(publishAt, now)) return "scheduled";
  return status ?? (textField(post, "publishedAt") === null ? "draft" : "published");
}

export const launchnotes: Adapter = {
  source: "launchnotes",
  recognizes: (files) =>
    namesFields(files, "headline") ? (namesFields(files, "announcements") || namesFields(files, "contentMarkdown") ? 2 : 1) : 0,
  read(files, { now }) {
    const { posts, notes } = postsIn(files, { product, isPost: (fields) => "headline" in fields, told: "“headline”" });
    const missing = new Missing();
    const entries = posts.map((post): ImportEntry => {
      const id = textField(post, "id");
      if (id === null) missing.of("id");
      const old_urls = addressesOf(post["publicPermalink"], post["permalink"], post["url"]);
      const content = contentOf(post, old_urls[0]);
      if (content === null && !("contentHtml" in post)) missing.of("contentHtml");
      const published_at = dateOf(post["publishedAt"]);
      const publish_at = dateOf(post["scheduledAt"]) ?? (isAhead(published_at, now) ? published_at : null);
      const status = statusOf(post, publish_at, now);
      if (status === "published" && published_at === null) missing.of("publishedAt");
      const categories = isFields(post["categories"]) ? post["categories"]["nodes"] : post["categories"];
      return {
        external_id: `launchnotes:${id ?? textField(post, "slug") ?? textField(post, "headline") ?? ""}`,
        title: textField(post, "headline", "title", "name") ?? "",
        published_at: status === "scheduled" ? null : published_at,
        publish_at: status === "scheduled" ? publish_at : null,
        status,
        tags: namesIn(categories),
        summary: textField(post, "excerpt"),
        slug: textField(post, "slug"),
        old_urls,
        content: content ?? { kind: "html", text: "" },
        notes: stateNotes(textField(post, "state", "status")),
      };
    });
    return finished({ source: "launchnotes", name: product, entries, notes: [...notes, ...missing.notes(product)] });
  },
};
