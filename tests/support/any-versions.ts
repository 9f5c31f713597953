import { noDetails } from "#contract/rules/post-details.ts";
import { fc } from "@fast-check/vitest";
import type { Block } from "#contract/blocks/block-types.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { ListItem } from "#contract/blocks/types/list.ts";
import type { PostContent } from "#contract/rules/post-content.ts";

interface Deed {
  kind: "write" | "cut" | "add" | "insert" | "delete" | "move" | "retype" | "bold" | "tag" | "title";
  at: number;
  to: number;
  part: number;
}

const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constantFrom("write", "write", "cut", "add", "insert", "delete", "move", "retype", "bold", "tag", "title"),
  at: fc.nat(7),
  to: fc.nat(7),
  part: fc.nat(9),
});

const kinds = ["paragraph", "paragraph", "header", "list", "table", "code", "quote", "delimiter"] as const;

function blockOf(kind: (typeof kinds)[number], word: () => string, count: number): Block {
  const words = (most = count): string => Array.from({ length: most }, word).join(" ");
  const made = (): unknown => {
    switch (kind) {
      case "header":
        return { text: words(), level: 2 };
      case "list":
        return { style: "unordered", items: [{ content: words(2), items: [{ content: words(2) }] }, { content: words() }] };
      case "table":
        return {
          content: [
            [words(2), words(1)],
            [words(1), words(2)],
            [words(1), words()],
          ],
        };
      case "code":
        return { code: `${words(2)}\n${words(2)}\n${words()}` };
      default:
        return { text: words() };
    }
  };
  return cleanBlocks([{ type: kind, data: made() }]).blocks[0]!;
}

type Texts = { read: string; write(text: string): void }[];

function textsOf(block: Block): Texts {
  const text = (holder: object, key: string | number) => ({
    read: String(Reflect.get(holder, key)),
    write: (value: string) => void Reflect.set(holder, key, value),
  });
  const items = (list: ListItem[]): Texts => list.flatMap((item) => [text(item, "content"), ...items(item.items)]);
  switch (block.type) {
    case "list":
      return items(block.data.items);
    case "table":
      return block.data.content.flatMap((row) => row.map((_, column) => text(row, column)));
    case "code":
      return [text(block.data, "code")];
    case "paragraph":
    case "header":
      return [text(block.data, "text")];
    case "quote":
      return [text(block.data, "text")];
    default:
      return [];
  }
}

export const wordsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) =>
    textsOf(block).flatMap(({ read }) =>
      read
        .replace(/<[^>]*>/g, "")
        .split(/\s+/)
        .filter(Boolean),
    ),
  );

function after(version: PostContent, deeds: readonly Deed[], word: () => string): PostContent {
  const next = structuredClone(version) as PostContent & { blocks: Block[]; tags: string[] };
  for (const { kind, at, to, part } of deeds) {
    const [place, target] = [at % Math.max(1, next.blocks.length), to % (next.blocks.length + 1)];
    const block = next.blocks[place];
    if (kind === "title") next.title = word();
    else if (kind === "tag") next.tags = part % 2 ? next.tags.slice(1) : [...next.tags, word()];
    else if (kind === "insert") next.blocks.splice(target, 0, { id: word(), ...blockOf(kinds[part % kinds.length]!, word, 3) });
    else if (block === undefined) continue;
    else if (kind === "delete") next.blocks.splice(place, 1);
    else if (kind === "move") next.blocks.splice(to % next.blocks.length, 0, ...next.blocks.splice(place, 1));
    else if (kind === "retype") {
      if (block.type === "paragraph") next.blocks[place] = { id: block.id!, type: "header", data: { text: block.data.text, level: 2 } };
      else if (block.type === "header") next.blocks[place] = { id: block.id!, type: "paragraph", data: { text: block.data.text } };
    } else {
      const texts = textsOf(block);
      const chosen = texts[to % Math.max(1, texts.length)];
      if (chosen) chosen.write(edited(chosen.read, kind, part, word, block.type === "code"));
    }
  }
  return { ...next, blocks: cleanBlocks(next.blocks).blocks };
}

function edited(text: string, kind: Deed["kind"], part: number, word: () => string, plain: boolean): string {
  const pieces = text.split(/( |\n)/);
  const places = pieces.flatMap((piece, index) => (/^[a-z\d]+$/.test(piece) ? [index] : []));
  const place = places[part % Math.max(1, places.length)];
  if (place === undefined) return kind === "cut" ? text : `${text} ${word()}`.trim();
  if (kind === "cut") pieces.splice(place, pieces.length > place + 1 ? 2 : 1);
  else if (kind === "bold" && !plain) pieces[place] = `<b>${pieces[place]!}</b>`;
  else if (kind === "add") pieces[place] += ` ${word()}`;
  else pieces[place] = word();
  return pieces.join("");
}

export const anyThree: fc.Arbitrary<{ base: PostContent; mine: PostContent; theirs: PostContent }> = fc
  .record({
    blocks: fc.array(fc.record({ kind: fc.constantFrom(...kinds), words: fc.integer({ min: 1, max: 8 }) }), { maxLength: 8 }),
    alike: fc.array(deed, { maxLength: 1 }),
    mine: fc.array(deed, { maxLength: 5 }),
    theirs: fc.array(deed, { maxLength: 5 }),
  })
  .map(({ blocks, alike, mine, theirs }) => {
    const named = (side: string) => {
      let count = 0;
      return () => `${side}${count++}`;
    };
    const [word, id] = [named("w"), named("id")];
    const base: PostContent = {
      title: "Title",
      summary: "",
      cover_image: null,
      details: noDetails,
      tags: ["one", "two"],
      blocks: blocks.map(({ kind, words }) => ({ id: id(), ...blockOf(kind, word, words) })),
    };
    const both = after(base, alike, named("b"));
    return { base, mine: after(both, mine, named("m")), theirs: after(both, theirs, named("t")) };
  });
