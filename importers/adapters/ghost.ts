import { type Adapter, type EntryStatus, type ImportEntry, ImportProblem } from "../entry.ts";
import { finished } from "../finish.ts";
import { jsonValues } from "../files/json.ts";
import { called } from "../files/text.ts";
import { dateOf, type Fields, fieldsIn, isFields, Missing, namesFields, plainAsHtml, textField } from "../records.ts";
import { countLeftOut, pagesNote } from "../left-out.ts";
import { unknownStateNote } from "../states.ts";

const product = "Ghost";
const placeholder = /__GHOST_URL__/g;

/** `sent`: email only, never on the web. */
const statuses = new Map<string, EntryStatus>([
  ["published", "published"],
  ["scheduled", "scheduled"],
]);

/** `{db: [{meta, data}]}`; older versions omit `db`. */
function dataOf(value: unknown): Fields | null {
  if (!isFields(value)) return null;
  const [first] = fieldsIn(value["db"]);
  const data = (first ?? value)["data"];
  return isFields(data) ? data : null;
}

function grouped(rows: readonly Fields[], by: string): Map<string, Fields[]> {
  const groups = new Map<string, Fields[]>();
  const order = (row: Fields): number => Number(row["sort_order"] ?? 0) || 0;
  for (const row of [...rows].sort((one, other) => order(one) - order(other))) {
    const key = textField(row, by) ?? "";
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function siteOf(address: string | undefined, settings: readonly Fields[]): string | null {
  const siteUrl = address ?? textField(settings.find((setting) => setting["key"] === "url") ?? {}, "value");
  if (!siteUrl) return null;
  const whole = /^https?:\/\//i.test(siteUrl) ? siteUrl : `https://${siteUrl}`;
  return URL.canParse(whole) ? new URL(`${new URL(whole).pathname.replace(/\/*$/, "")}/`, whole).href : null;
}

/** Ghost's JSON export (Settings → Export). Skips pages and internal tags (`#`). */
export const ghost: Adapter = {
  source: "ghost",
  recognizes: (files) =>
    namesFields(files, "db", "meta") ? 2 : namesFields(files, "data", "posts") || namesFields(files, "posts", "comment_id") ? 1 : 0,
  read(files, { address }) {
    const notes: string[] = [];
    const missing = new Missing();
    const entries: ImportEntry[] = [];
    let name: string | null = null;
    let pages = 0;
    let needsSite = false;
    for (const file of files) {
      const { values, note } = jsonValues(file);
      if (note !== null) notes.push(note);
      const data = dataOf(values[0]);
      if (data === null) throw new ImportProblem(`${called(file)} isn't a Ghost export: it has no field “db” with “data”`);
      if (!Array.isArray(data["posts"])) throw new ImportProblem(`${called(file)} is a Ghost export without the field “posts”`);
      const settings = fieldsIn(data["settings"]);
      const site = siteOf(address, settings);
      name ??= textField(settings.find((setting) => setting["key"] === "title") ?? {}, "value");
      const tags = new Map(fieldsIn(data["tags"]).map((tag) => [textField(tag, "id") ?? "", tag]));
      const tagsOfPosts = grouped(fieldsIn(data["posts_tags"]), "post_id");
      const users = new Map(fieldsIn(data["users"]).map((user) => [textField(user, "id") ?? "", user]));
      const authorsOfPosts = grouped(fieldsIn(data["posts_authors"]), "post_id");
      const metaOfPosts = new Map(fieldsIn(data["posts_meta"]).map((meta) => [textField(meta, "post_id") ?? "", meta]));
      const resolve = (text: string): string => text.replace(placeholder, site?.replace(/\/$/, "") ?? "");

      for (const post of fieldsIn(data["posts"])) {
        if (post["type"] === "page" || post["page"] === true || post["page"] === 1) {
          pages++;
          continue;
        }
        const id = textField(post, "id");
        const slug = textField(post, "slug");
        if (id === null) missing.of("id");
        const html = textField(post, "html");
        const plain = textField(post, "plaintext");
        if (!("html" in post)) missing.of("html");
        const state = (textField(post, "status") ?? "").toLowerCase();
        const isForMembers = !["", "public"].includes((textField(post, "visibility") ?? "").toLowerCase());
        const status = isForMembers ? "draft" : (statuses.get(state) ?? "draft");
        const date = dateOf(post["published_at"]);
        const author = textField(
          users.get(textField(authorsOfPosts.get(id ?? "")?.[0] ?? {}, "author_id") ?? textField(post, "author_id") ?? "") ?? {},
          "name",
        );
        const cover = textField(post, "feature_image");
        const alt = textField(metaOfPosts.get(id ?? "") ?? post, "feature_image_alt");
        const wasPublic = status === "published" && slug !== null;
        if (site === null && (wasPublic || (html ?? "").includes("__GHOST_URL__"))) needsSite = true;
        entries.push({
          external_id: `ghost:${textField(post, "uuid") ?? id ?? slug ?? textField(post, "title") ?? ""}`,
          title: textField(post, "title") ?? "",
          published_at: status === "scheduled" ? null : date,
          publish_at: status === "scheduled" ? date : null,
          status,
          tags: (tagsOfPosts.get(id ?? "") ?? [])
            .map((row) => textField(tags.get(textField(row, "tag_id") ?? "") ?? {}, "name"))
            .filter((tag): tag is string => tag !== null && !tag.startsWith("#")),
          summary: textField(post, "custom_excerpt"),
          slug,
          cover: cover === null ? null : { url: resolve(cover), ...(alt === null ? {} : { alt }) },
          author,
          old_urls: wasPublic && site !== null ? [new URL(`${encodeURIComponent(slug.toWellFormed())}/`, site).href] : [],
          content: {
            kind: "html",
            text: html === null ? plainAsHtml(plain ?? "") : resolve(html),
            ...(site === null ? {} : { base: site }),
          },
          notes: [
            ...(state === "sent" && !isForMembers ? ["It was only sent by email, so it's imported as a draft"] : []),
            ...(html === null && plain === null && textField(post, "lexical", "mobiledoc") !== null
              ? ["Its text is in an editor format that can't be imported"]
              : []),
            ...(!isForMembers && !["", "draft", "sent"].includes(state) && !statuses.has(state) ? [unknownStateNote(state)] : []),
            ...(isForMembers ? ["Only members could see it, so it's imported as a draft"] : []),
          ],
        });
      }
    }
    notes.push(...pagesNote(pages));
    if (needsSite) notes.push("The export doesn't say where the site is, so its images can't be fetched and old links can't redirect");
    return finished({
      source: "ghost",
      name: name ?? product,
      wantsAddress: needsSite,
      entries,
      notes: [...notes, ...missing.notes(product)],
      leftOut: countLeftOut(pages, "page"),
    });
  },
};
