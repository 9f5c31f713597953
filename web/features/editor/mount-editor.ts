import EditorJS, { type OutputData } from "@editorjs/editorjs";
import { runIdleCallbacksImmediately } from "./eager-idle.ts";
import { ignoreKeysOutside } from "./keys-elsewhere.ts";
import { duplicateBlocks, listenForDuplicate } from "./duplicate-blocks.ts";
import { type LinkBox, listenForLinks } from "./link-box.ts";
import { listenForMarkKeys } from "./mark-keys.ts";
import { listenForShortcuts } from "./markdown-shortcuts.ts";
import { nameEditorControls } from "./name-controls.ts";
import { listenForBlockHandle } from "./block-handle.ts";
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

/** A running block editor. Methods wait until it is ready. */
export interface MountedEditor {
  readonly ready: Promise<void>;
  read(): Promise<OutputData>;
  replace(content: OutputData): Promise<void>;
  /**
   * Shows a colleague's version, changing only blocks that differ. False if the user typed meanwhile or the blocks aren't `from` any longer.
   * Both must be sanitised.
   */
  show(content: OutputData, from?: OutputData): Promise<boolean>;
  setReadOnly(readOnly: boolean): Promise<void>;
  focus(typed?: string): void;
  writeBelow(blockId: string, words: string): void;
  step(direction: UndoDirection): void;
  destroy(): void;
}

export interface MountOptions {
  holder: HTMLElement;
  /** Already sanitised: Editor.js renders any HTML. */
  content: OutputData;
  readOnly: boolean;
  images: PostImages;
  /** Called on every keystroke: must be cheap. */
  onChange(): void;
  onImagesLeftOut(images: number): void;
  onFilesRejected(): void;
}

export function mountEditor(options: MountOptions): MountedEditor {
  const { holder, content, readOnly, images, onChange, onImagesLeftOut, onFilesRejected } = options;
  let lastOutput = content;
  let lastBlocks = "";
  let typed = false;
  let inputs = 0;
  let composing = false; // IME composition: don't replace its text
  let reading = Promise.resolve(); // pending save: destroy waits for it
  let toggling = Promise.resolve(); // one toggle of read-only at a time
  let destroyed = false;
  let undoStack = createUndoStack([]);
  let step: MountedEditor["step"] = () => {};
  let links: LinkBox | null = null;
  const cleanups: (() => void)[] = [];

  const editor = new EditorJS({
    holder,
    data: content,
    readOnly,
    placeholder: "Write, or press / for headings, lists and images",
    minHeight: 0, // clicks below the text: write-below.ts
    tools: editorTools({
      images,
      openLink: () => links?.open(),
      duplicate: (place) => void duplicateBlocks(editor, [place], { recordUndo, onChange: onInput }),
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
    lastOutput = await saving;
    lastBlocks = JSON.stringify(lastOutput.blocks);
    typed = false;
    return lastOutput;
  };
  const read = async () => {
    if (editor.readOnly.isEnabled) return lastOutput; // Editor.js can't save in read-only mode; nothing has changed
    const { blocks } = await save();
    undoStack.record(blocks); // also during continuous typing, which Editor.js reports only at its end
    return lastOutput;
  };
  const recordUndo = () => void read();
  const onInput = () => {
    typed = true;
    inputs += 1;
    onChange();
  };
  // Editor.js reports mutations 400 ms late, including its own: only a difference in the blocks counts as a change.
  const onMutation = async () => {
    if (destroyed || editor.readOnly.isEnabled) return;
    const before = typed ? null : lastBlocks;
    await read();
    if (before !== null && before !== lastBlocks) onChange();
  };

  const onComposition = ({ type }: Event) => (composing = type === "compositionstart");
  for (const type of ["compositionstart", "compositionend"]) holder.addEventListener(type, onComposition);
  cleanups.push(nameEditorControls(holder), ignoreKeysOutside(holder), keepMenusInWindow(holder));
  const ready = editor.isReady.then(async () => {
    if (destroyed) return;
    holder.addEventListener("input", onInput);
    cleanups.push(() => holder.removeEventListener("input", onInput));
    undoStack = createUndoStack((await read()).blocks, mergeBlocks);
    if (destroyed) return;
    cleanups.push(
      runIdleCallbacksImmediately(),
      listenForBlocksMenu(holder, editor, { recordUndo, onChange: onInput }), // first, so its keys take precedence
      listenForEmoji(holder, { recordUndo, onChange: onInput }),
      listenForShortcuts(holder, editor, recordUndo),
      listenForTypedMarks(holder, recordUndo),
      listenForMarkKeys(holder, { recordUndo, onChange: onInput }),
      listenForDuplicate(holder, editor, { recordUndo, onChange: onInput }),
      listenForPaste(holder, editor, { recordUndo, onChange: onInput, onLeftOut: onImagesLeftOut, onFilesRejected }),
      listenForSelectedBlocks(holder, editor, { recordUndo, onChange: onInput }),
      listenForClicksBelow(editor),
    );
    links = listenForLinks(holder, { isReadOnly: () => editor.readOnly.isEnabled, recordUndo, onChange: onInput });
    cleanups.push(links.stop);
    const undo = listenForUndo(holder, editor, undoStack, read, onChange);
    step = undo.request;
    cleanups.push(undo.stop, listenForBlockHandle(holder, editor));
  });

  return {
    ready,
    read: () => ready.then(read),
    replace: async (next) => {
      await ready;
      await editor.render(next);
      lastOutput = next;
      await read();
    },
    show: async (next, from) => {
      await ready;
      if (destroyed || composing) return false;
      if (editor.readOnly.isEnabled) {
        const top = window.scrollY;
        await editor.render(next);
        lastOutput = next;
        window.scrollTo({ top, behavior: "instant" });
        return true;
      }
      const inputsBefore = inputs;
      const output = await read();
      const current = fromEditor(output).blocks;
      if (destroyed || composing || inputs !== inputsBefore) return false;
      if (from && JSON.stringify(current) !== JSON.stringify(from.blocks)) return false;
      showChange(holder, editor, current, next.blocks);
      const then = await save();
      const isUntouched = inputs === inputsBefore;
      undoStack.applyRemote(output.blocks, isUntouched ? then.blocks : next.blocks);
      if (!isUntouched) undoStack.record(then.blocks);
      return true;
    },
    setReadOnly: (value) =>
      (toggling = toggling.then(async () => {
        await ready;
        if (destroyed || editor.readOnly.isEnabled === value) return;
        await read();
        await editor.readOnly.toggle(value);
        await read();
      })),
    focus: (typed) =>
      void ready.then(() => {
        if (destroyed) return;
        if (typed) writeInFront(editor, typed);
        else editor.caret.setToFirstBlock("start");
      }),
    writeBelow: (blockId, words) => {
      if (destroyed || editor.readOnly.isEnabled) return;
      recordUndo();
      writeBelow(editor, blockId, words);
      onInput();
    },
    step: (direction) => step(direction),
    destroy: () => {
      destroyed = true;
      cleanups.forEach((end) => end());
      holder.hidden = true;
      const remove = () => holder.remove();
      void editor.isReady
        .then(() => reading)
        .then(() => editor.destroy())
        .then(remove, remove);
    },
  };
}
