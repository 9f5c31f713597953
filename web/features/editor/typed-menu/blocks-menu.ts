import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { blockOfHandle } from "../block-handle.ts";
import { allBlocks, editorBlocks } from "../blocks/editor-blocks.ts";
import type { MenuEntry } from "../blocks/menu-entry.ts";
import { replaceBlock } from "../replace-block.ts";
import { writeBelowBlock } from "../write-below.ts";
import { caretIn } from "../paste/insert-blocks.ts";
import type { Choice } from "./caret-menu.ts";
import { find, type Findable } from "./find.ts";
import { listenForTypedMenu, type RunningMenu } from "./typed-menu.ts";

interface BlockChoice extends Choice, Findable {
  type: Block["type"];
  entry: MenuEntry;
}

const choices: readonly BlockChoice[] = allBlocks.flatMap(([type, { menu }]) =>
  menu.map((entry) => ({
    type,
    entry,
    title: entry.title,
    words: entry.words,
    sign: { svg: entry.icon },
    ...(entry.hint && { hint: entry.hint }),
  })),
);

export const blocksFor = (query: string): BlockChoice[] => find(choices, query);

const plusClass = ".ce-toolbar__plus";

/**
 * The block menu at the caret, opened by "/" at the start of a word or by a block's plus button. Replaces the Editor.js menu, which opens
 * elsewhere, searches titles only and preselects nothing. Returns a cleanup function.
 */
export function listenForBlocksMenu(
  holder: HTMLElement,
  editor: EditorJS,
  { recordUndo, onChange }: { recordUndo(): void; onChange(): void },
): () => void {
  const placeOf = (text: HTMLElement) => [...holder.querySelectorAll(".ce-block")].indexOf(text.closest(".ce-block")!);

  const menu: RunningMenu = listenForTypedMenu<BlockChoice>(
    holder,
    {
      label: "Blocks",
      sign: "/",
      from: 0,
      query: /^(?:[^\s\u00a0/]+(?:[ \u00a0][^\s\u00a0/]*)?)?$/,
      isFor: (text) => text.matches(".ce-paragraph, .ce-header, .cdx-list__item-content"),
      find: blocksFor,
      pick({ type, entry }, text) {
        getSelection()?.deleteFromDocument();
        const place = placeOf(text);
        const isEmpty = text.matches(".ce-paragraph") && text.textContent.trim() === "";
        put(type, entry, isEmpty ? place : place + 1, isEmpty);
        onChange();
      },
    },
    recordUndo,
  );

  const put = (type: Block["type"], { data, initialData }: MenuEntry, place: number, replaces: boolean) => {
    if (replaces) replaceBlock(editor, place, { type, data: initialData ?? data });
    else editor.blocks.insert(type, initialData ?? data, undefined, place, true);
    const block = editor.blocks.getBlockByIndex(place);
    if (editorBlocks[type].writing === "nowhere") writeBelowBlock(editor, place);
    else {
      editor.caret.setToBlock(place, "start");
      const first = block?.holder.querySelector<HTMLElement>("[contenteditable=true], textarea, input");
      if (first && !block?.holder.contains(document.activeElement)) {
        if (first.isContentEditable) caretIn(first);
        else first.focus();
      }
    }
    block?.call("appendCallback");
  };

  const onClick = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest(plusClass) : null;
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...holder.querySelectorAll<HTMLElement>(".ce-block")];
    const at = Math.max(
      0,
      blockOfHandle(
        all.map((block) => block.getBoundingClientRect()),
        button.getBoundingClientRect(),
      ),
    );
    const text = all[at]?.querySelector<HTMLElement>(".ce-paragraph");
    const isEmpty = text?.textContent.trim() === "";
    if (!isEmpty) editor.blocks.insert("paragraph", {}, undefined, at + 1, true);
    editor.caret.setToBlock(isEmpty ? at : at + 1, "start");
    menu.open();
  };
  const onSlash = (event: KeyboardEvent) => {
    // Editor.js would open its own menu in an empty block.
    if (
      event.key === "/" &&
      !event.ctrlKey &&
      !event.metaKey &&
      event.target instanceof Element &&
      event.target.closest("[contenteditable=true]")
    )
      event.stopPropagation();
  };
  holder.addEventListener("click", onClick, true);
  holder.addEventListener("keydown", onSlash, true);
  return () => {
    menu.stop();
    holder.removeEventListener("click", onClick, true);
    holder.removeEventListener("keydown", onSlash, true);
  };
}
