import type { Adapter } from "../entry.ts";
import { entriesOf, isXmlFeed, readFeed } from "./feed.ts";
import { finished } from "../finish.ts";
import { Missing } from "../records.ts";
import { beginning } from "../files/text.ts";
import { countUnused, isWordPressExport, leftOut } from "./wordpress-items.ts";

export const wordpress: Adapter = {
  source: "wordpress",
  recognizes: (files) => (files.length > 0 && files.every((file) => isXmlFeed(file) && isWordPressExport(beginning(file, 20_000))) ? 2 : 0),
  read(files, { address }) {
    const notes: string[] = [];
    const missing = new Missing();
    const exports = files.map((file) => readFeed(file, notes));
    const library = exports.flatMap((one) => one.wordpress?.files ?? []);
    const byId = new Map(library.map((file) => [file.id, file]));
    const entries = exports.flatMap((one) => entriesOf(one, address, missing, byId));
    const texts = entries.flatMap(({ content, cover }) => [
      content.kind === "blocks" ? "" : content.text,
      typeof cover === "object" && cover !== null ? ` ${cover.url}` : "",
    ]);
    const others = leftOut(
      exports.flatMap((one) => one.wordpress?.otherTypes ?? []),
      countUnused(library, texts),
    );
    if (entries.length === 0) notes.push("This export has no posts");
    return finished({
      source: "wordpress",
      name: exports.find(({ title }) => title)?.title ?? null,
      entries,
      notes: [...notes, ...others.notes, ...missing.notes("the export")],
      leftOut: others.counts,
    });
  },
};
