import type { Choice } from "./caret-menu.ts";
import { find, type Findable } from "./find.ts";
import { listenForTypedMenu } from "./typed-menu.ts";

interface Emoji extends Choice, Findable {
  character: string;
}

const maxMatches = 12;
let loading: Promise<readonly Emoji[]> | null = null;

/** Loads the list lazily. After a failure the next word retries. */
async function load(): Promise<readonly Emoji[]> {
  loading ??= import("./emoji-list.ts").then(({ emojiList }) => emojiList.trim().split("\n").map(emojiOf));
  try {
    return await loading;
  } catch {
    loading = null;
    return [];
  }
}

function emojiOf(line: string): Emoji {
  const [character = "", name = "", ...words] = line.split(" ");
  return { character, title: name.replaceAll("_", " "), words: [name, ...words].join(" "), sign: { character } };
}

export const emojiFor = async (query: string): Promise<Emoji[]> => find(await load(), query.replaceAll("_", " ")).slice(0, maxMatches);
const emojiByName = async (name: string): Promise<Emoji | undefined> =>
  (await load()).find((one) => one.words.split(" ")[0] === name || one.title === name);

/** The emoji menu: ":" and two letters at the start of a word; ":tada:" inserts an emoji directly. Returns a cleanup function. */
export function listenForEmoji(holder: HTMLElement, { recordUndo, onChange }: { recordUndo(): void; onChange(): void }): () => void {
  return listenForTypedMenu<Emoji>(
    holder,
    {
      label: "Emoji",
      sign: ":",
      from: 2,
      query: /^[\p{L}\d+_-]{0,24}$/u,
      isFor: () => true,
      find: emojiFor,
      pick: ({ character }) => {
        document.execCommand("insertText", false, character);
        onChange();
      },
      ends: ":",
      exact: emojiByName,
    },
    recordUndo,
  ).stop;
}
