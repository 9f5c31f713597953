import type { Adapter, EntryStatus, ImportEntry } from "../entry.ts";
import { finished } from "../finish.ts";
import { placeholderNote, withoutPlaceholders } from "../placeholders.ts";
import {
  addressesOf,
  dateOf,
  type Fields,
  fieldsIn,
  isAhead,
  looksLikeHtml,
  Missing,
  namesFields,
  namesIn,
  plainAsHtml,
  postsIn,
  textField,
} from "../records.ts";
import { stateNotes, statusNamed } from "../states.ts";
import { bestText, otherLanguages } from "../translations.ts";

const product = "AnnounceKit";

const textsOf = (post: Fields): Fields[] => [...fieldsIn(post["contents"]), ...fieldsIn(post["locales"])];

function statusOf(post: Fields, visibleAt: string | null, now: Date): EntryStatus {
  const statusWord = textField(post, "status");
  const status = statusWord === null ? "published" : (statusNamed(statusWord) ?? "draft");
  if (post["is_draft"] === true || status === "draft") return "draft";
  if (status === "archived") return status;
  if (isAhead(visibleAt, now)) return "scheduled";
  const expires = dateOf(post["expire_at"]);
  return expires !== null && Date.parse(expires) <= now.getTime() ? "archived" : "published";
}

export const announcekit: Adapter = {
  source: "announcekit",
  recognizes: (files) => (namesFields(files, "locale_id") ? 2 : namesFields(files, "visible_at", "title") ? 1 : 0),
  read(files, { now }) {
    const { posts, notes } = postsIn(files, {
      product,
      isPost: (fields) =>
        textsOf(fields).some((text) => "title" in text || "body" in text) || ("visible_at" in fields && "title" in fields),
      told: "“locales” or “contents”, each with “title” and “body”",
    });
    const missing = new Missing();
    const entries = posts.map((post): ImportEntry => {
      const texts = textsOf(post);
      const best = bestText(texts, "locale_id") ?? post;
      const id = textField(post, "id");
      if (id === null) missing.of("id");
      const body = textField(best, "body", "content");
      if (body === null && !("body" in best)) missing.of("body");
      const { text, names } = withoutPlaceholders(body ?? "");
      const title = withoutPlaceholders(textField(best, "title") ?? "");
      const old_urls = addressesOf(best["url"], post["url"]);
      const visible_at = dateOf(post["visible_at"]) ?? dateOf(post["created_at"]);
      if (visible_at === null) missing.of("visible_at");
      const status = statusOf(post, visible_at, now);
      const leads = addressesOf(post["external_url"])[0];
      const more =
        leads === undefined || text.includes(leads)
          ? ""
          : `<p><a href="${leads.replaceAll('"', "%22")}">${leads.replaceAll("<", "%3C").replaceAll("&", "&amp;")}</a></p>`;
      return {
        external_id: `announcekit:${id ?? old_urls[0] ?? title.text}`,
        title: title.text,
        published_at: status === "scheduled" ? null : visible_at,
        publish_at: status === "scheduled" ? visible_at : null,
        status,
        tags: namesIn(post["labels"]),
        slug: textField(post, "slug") ?? textField(best, "slug"),
        old_urls,
        content: { kind: "html", text: (looksLikeHtml(text) ? text : plainAsHtml(text)) + more, base: old_urls[0] },
        notes: [
          ...placeholderNote([...new Set([...title.names, ...names])]),
          ...otherLanguages(texts, best, "locale_id"),
          ...stateNotes(textField(post, "status")),
          ...(status === "archived" && textField(post, "status")?.toLowerCase() !== "archived"
            ? ["It had expired, so it's imported as archived"]
            : []),
        ],
      };
    });
    return finished({ source: "announcekit", name: product, entries, notes: [...notes, ...missing.notes(product)] });
  },
};
