import EditorJS, { type OutputData } from "@editorjs/editorjs";
import { runIdleWorkAtOnce } from "./eager-idle.ts";
import { keepKeysElsewhere } from "./keys-elsewhere.ts";
import { duplicateBlocks, listenForDuplicate } from "./duplicate-blocks.ts";
import { type LinkBox, listenForLinks } from "./link-box.ts";
import { listenForMarkKeys } from "./mark-keys.ts";
import { listenForShortcuts } from "./markdown-shortcuts.ts";
import { nameEditorControls } from "./name-controls.ts";
import { listenToBlockHandle } from "./block-handle.ts";
import { keepMenusInWindow } from "./menus-in-window.ts";
import { listenForPaste } from "./paste/paste.ts";
import { listenForTypedMarks } from "./typed-marks.ts";
import { listenForBlocksMenu } from "./typed-menu/blocks-menu.ts";
import { listenForEmoji } from "./typed-menu/emoji-menu.ts";
import { listenForSelectedBlocks } from "./selected-blocks.ts";
import { listenForUndo, type UndoDirection } from "./undo-keys.ts";
import { writeBelow, writeInFront } from "./paste/typed-text.ts";
import { createUndoStack } from "./undo-stack.ts";
import { listenForClicksBelow } from "./write-below.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import { showChange } from "./show-change.ts";
import { fromEditor } from "./editor-content.ts";
import type { PostImages } from "./blocks/editor-block.ts";
import { editorTools, inlineTools } from "./blocks/tools.ts";

/** One running block editor. Everything waits for the editor to be ready by itself. */
export interface MountedEditor {
  /** Resolves when the blocks are on the screen; rejects when they could not be drawn. */
  readonly ready: Promise<void>;
  /** The blocks as they are now. */
  read(): Promise<OutputData>;
  /** Puts other blocks in the place of the present ones. */
  replace(content: OutputData): Promise<void>;
  /**
   * Shows what a colleague saved, changing only the blocks that differ; false when something was typed in that moment, or when the blocks are
   * others than `from`. Both are cleaned.
   */
  show(content: OutputData, from?: OutputData): Promise<boolean>;
  setReadOnly(readOnly: boolean): Promise<void>;
  /** Puts the caret at the start, behind what was typed before the editor was there. */
  focus(typed?: string): void;
  /** Puts words below a block, in a paragraph of their own. */
  writeBelow(blockId: string, words: string): void;
  /** Goes back one step of what was written, or forth again. */
  step(direction: UndoDirection): void;
  destroy(): void;
}

export interface MountOptions {
  holder: HTMLElement;
  /** Cleaned already: Editor.js runs whatever HTML it is given. */
  content: OutputData;
  readOnly: boolean;
  images: PostImages;
  /** The person changed something. Called at every keystroke, so it has to be cheap. */
  onChange(): void;
  /** So many pasted images have no address that a server can reach. */
  onPicturesLeftOut(pictures: number): void;
  /** Files that were pasted or dropped are no pictures. */
  onFilesPassedOver(): void;
}

export function mountEditor(options: MountOptions): MountedEditor {
  const { holder, content, readOnly, images, onChange, onPicturesLeftOut, onFilesPassedOver } = options;
  let last = content; // what was drawn or read last
  let seen = ""; // its blocks, to compare
  let typed = false;
  let inputs = 0;
  let composing = false; // a letter of several keys: its text must not be taken from under it
  let reading = Promise.resolve(); // the last look at the blocks; the editor stays until it is over
  let dead = false;
  let past = createUndoStack([]);
  let step: MountedEditor["step"] = () => {};
  let links: LinkBox | null = null;
  const endings: (() => void)[] = [];

  const editor = new EditorJS({
    holder,
    data: content,
    readOnly,
    placeholder: "Write, or press / for headings, lists and images",
    minHeight: 0, // clicks below the text: write-below.ts
    tools: editorTools({
      images,
      openLink: () => links?.open(),
      duplicate: (place) => void duplicateBlocks(editor, [place], { remember, onChange: onInput }),
    }),
    inlineToolbar: inlineTools,
    i18n: { messages: { ui: { popover: { "Convert to": "Turn into" } } } },
    onChange: () => void onMutation(),
    logLevel: "ERROR",
  });

  const save = async () => {
    const saving = editor.save();
    reading = saving.then(
      () => {},
      () => {},
    );
    last = await saving;
    seen = JSON.stringify(last.blocks);
    typed = false;
    return last;
  };
  const read = async () => {
    if (editor.readOnly.isEnabled) return last; // Editor.js refuses to save then, and nothing has changed
    const { blocks } = await save();
    past.record(blocks); // also in the middle of a long run of typing, which Editor.js reports at its end
    return last;
  };
  const remember = () => void read(); // takes the blocks as they are at this moment
  const onInput = () => {
    typed = true;
    inputs += 1;
    onChange();
  };
  // Editor.js reports mutations 400 ms late, also ones it made itself: only other blocks than before count as a change.
  const onMutation = async () => {
    if (dead || editor.readOnly.isEnabled) return;
    const known = typed ? null : seen;
    await read();
    if (known !== null && known !== seen) onChange();
  };

  const onComposition = ({ type }: Event) => (composing = type === "compositionstart");
  for (const type of ["compositionstart", "compositionend"]) holder.addEventListener(type, onComposition);
  endings.push(nameEditorControls(holder), keepKeysElsewhere(holder), keepMenusInWindow(holder));
  const ready = editor.isReady.then(async () => {
    if (dead) return;
    holder.addEventListener("input", onInput);
    past = createUndoStack((await read()).blocks, mergeBlocks);
    endings.push(() => holder.removeEventListener("input", onInput));
    endings.push(
      runIdleWorkAtOnce(),
      listenForBlocksMenu(holder, editor, { remember, onChange: onInput }), // its keys come before all others
      listenForEmoji(holder, { remember, onChange: onInput }),
      listenForShortcuts(holder, editor, remember),
      listenForTypedMarks(holder, remember),
      listenForMarkKeys(holder, { remember, onChange: onInput }),
      listenForDuplicate(holder, editor, { remember, onChange: onInput }),
      listenForPaste(holder, editor, { remember, onChange: onInput, onLeftOut: onPicturesLeftOut, onFilesPassedOver }),
      listenForSelectedBlocks(holder, editor, { remember, onChange: onInput }),
      listenForClicksBelow(editor),
    );
    links = listenForLinks(holder, { isReadOnly: () => editor.readOnly.isEnabled, remember, onChange: onInput });
    endings.push(links.stop);
    const undo = listenForUndo(holder, editor, past, read, onChange);
    step = undo.ask;
    endings.push(undo.stop, listenToBlockHandle(holder, editor));
  });

  return {
    ready,
    read: () => ready.then(read),
    replace: async (next) => {
      await ready;
      await editor.render(next);
      last = next;
      await read();
    },
    show: async (next, from) => {
      await ready;
      if (dead || composing) return false;
      if (editor.readOnly.isEnabled) {
        const top = window.scrollY;
        await editor.render(next);
        last = next;
        window.scrollTo({ top, behavior: "instant" });
        return true;
      }
      const before = inputs;
      const was = await read();
      const now = fromEditor(was).blocks;
      if (dead || composing || inputs !== before) return false;
      if (from && JSON.stringify(now) !== JSON.stringify(from.blocks)) return false;
      showChange(holder, editor, now, next.blocks);
      const then = await save();
      const quiet = inputs === before;
      past.goAlong(was.blocks, quiet ? then.blocks : next.blocks);
      if (!quiet) past.record(then.blocks);
      return true;
    },
    setReadOnly: async (value) => {
      await ready;
      if (dead || editor.readOnly.isEnabled === value) return;
      await read();
      await editor.readOnly.toggle(value);
      await read();
    },
    focus: (typed) =>
      void ready.then(() => {
        if (dead) return;
        if (typed) writeInFront(editor, typed);
        else editor.caret.setToFirstBlock("start");
      }),
    writeBelow: (blockId, words) => {
      if (dead || editor.readOnly.isEnabled) return;
      remember();
      writeBelow(editor, blockId, words);
      onInput();
    },
    step: (direction) => step(direction),
    destroy: () => {
      dead = true;
      endings.forEach((end) => end());
      holder.hidden = true;
      const remove = () => holder.remove();
      void editor.isReady
        .then(() => reading)
        .then(() => editor.destroy())
        .then(remove, remove);
    },
  };
}
