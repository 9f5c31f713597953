import { type Adapter, ImportProblem, type EntryContent, type EntryStatus, type ImportEntry } from "../entry.ts";
import { finished } from "../finish.ts";
import { addressesOf, dateOf, type Fields, isAhead, Missing, namesFields, namesIn, plainAsHtml, postsIn, textField } from "../records.ts";
import { stateNotes, statusNamed } from "../states.ts";

const product = "Canny";

function contentOf(entry: Fields, base: string | undefined): EntryContent | null {
  const markdown = textField(entry, "markdownDetails", "markdown");
  if (markdown !== null) return { kind: "markdown", text: markdown, base };
  const html = textField(entry, "htmlDetails", "html");
  if (html !== null) return { kind: "html", text: html, base };
  const plain = textField(entry, "plaintextDetails", "details", "content");
  return plain === null ? null : { kind: "html", text: plainAsHtml(plain), base };
}

function statusOf(entry: Fields, publishAt: string | null, now: Date): EntryStatus {
  const statusWord = textField(entry, "status");
  if (statusWord !== null) return statusNamed(statusWord) ?? "draft";
  if (isAhead(publishAt, now)) return "scheduled";
  return textField(entry, "publishedAt") === null ? "draft" : "published";
}

export const canny: Adapter = {
  source: "canny",
  recognizes: (files) =>
    namesFields(files, "plaintextDetails") || namesFields(files, "markdownDetails")
      ? 2
      : namesFields(files, "title", "publishedAt", "reactions")
        ? 1
        : 0,
  read(files, { now }) {
    const { posts, notes } = postsIn(files, {
      product,
      isPost: (fields) => ["markdownDetails", "htmlDetails", "plaintextDetails"].some((name) => name in fields) && "title" in fields,
      told: "“title” with “markdownDetails”, “htmlDetails” or “plaintextDetails”",
    });
    const missing = new Missing();
    const entries = posts.map((entry): ImportEntry => {
      const id = textField(entry, "id");
      if (id === null) missing.of("id");
      const old_urls = addressesOf(entry["url"]);
      const content = contentOf(entry, old_urls[0]);
      if (content === null && !("markdownDetails" in entry)) missing.of("markdownDetails");
      const published_at = dateOf(entry["publishedAt"]);
      const publish_at = dateOf(entry["scheduledFor"]) ?? (isAhead(published_at, now) ? published_at : null);
      const status = statusOf(entry, publish_at, now);
      if (status === "published" && published_at === null) missing.of("publishedAt");
      const types = namesIn(entry["types"] ?? entry["type"]).map((type) => type.charAt(0).toUpperCase() + type.slice(1));
      return {
        external_id: `canny:${id ?? old_urls[0] ?? textField(entry, "title") ?? ""}`,
        title: textField(entry, "title") ?? "",
        published_at: status === "scheduled" ? null : published_at,
        publish_at: status === "scheduled" ? publish_at : null,
        status,
        tags: [...types, ...namesIn(entry["labels"])],
        slug: old_urls[0] === undefined ? null : (new URL(old_urls[0]).pathname.split("/").findLast((part) => part !== "") ?? null),
        old_urls,
        content: content ?? { kind: "html", text: "" },
        notes: stateNotes(textField(entry, "status")),
      };
    });
    if (entries.length === 0 && notes.length === 0) throw new ImportProblem("Canny holds no posts");
    return finished({ source: "canny", name: product, entries, notes: [...notes, ...missing.notes(product)] });
  },
};
