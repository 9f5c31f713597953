import EditorJS, { type OutputData } from "@editorjs/editorjs";
import { runIdleWorkAtOnce } from "./eager-idle.ts";
import { listenForShortcuts } from "./markdown-shortcuts.ts";
import { nameEditorControls } from "./name-controls.ts";
import { editorTools, type UploadImage } from "./tools.ts";

/** One running block editor. Everything waits for the editor to be ready by itself. */
export interface MountedEditor {
  /** Resolves when the blocks are on the screen; rejects when they could not be drawn. */
  readonly ready: Promise<void>;
  /** The blocks as they are now. */
  read(): Promise<OutputData>;
  /** Puts other blocks in the place of the present ones. */
  replace(content: OutputData): Promise<void>;
  setReadOnly(readOnly: boolean): Promise<void>;
  /** Puts the caret at the start. */
  focus(): void;
  destroy(): void;
}

export interface MountOptions {
  holder: HTMLElement;
  /** Cleaned already: Editor.js runs whatever HTML it is given. */
  content: OutputData;
  readOnly: boolean;
  uploadImage: UploadImage;
  /** The person changed something. Called at every keystroke, so it has to be cheap. */
  onChange(): void;
}

export function mountEditor({ holder, content, readOnly, uploadImage, onChange }: MountOptions): MountedEditor {
  let last = content; // what was drawn or read last
  let seen = ""; // its blocks, to compare
  let typed = false;
  let dead = false;
  const undo: (() => void)[] = [];

  const editor = new EditorJS({
    holder,
    data: content,
    readOnly,
    placeholder: "Write, or press / for headings, lists and images",
    minHeight: 120,
    tools: editorTools(uploadImage),
    onChange: () => void onMutation(),
    logLevel: "ERROR",
  });

  const read = async () => {
    if (editor.readOnly.isEnabled) return last; // Editor.js refuses to save then, and nothing has changed
    last = await editor.save();
    seen = JSON.stringify(last.blocks);
    typed = false;
    return last;
  };
  const onInput = () => {
    typed = true;
    onChange();
  };
  // Editor.js reports mutations 400 ms late, also ones it made itself: only other blocks than before count as a change.
  const onMutation = async () => {
    if (dead || typed || editor.readOnly.isEnabled) return;
    const before = seen;
    await read();
    if (seen !== before) onChange();
  };

  undo.push(nameEditorControls(holder));
  const ready = editor.isReady.then(async () => {
    if (dead) return;
    holder.addEventListener("input", onInput);
    undo.push(runIdleWorkAtOnce(), listenForShortcuts(holder, editor), () => holder.removeEventListener("input", onInput));
    await read();
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
    setReadOnly: async (value) => {
      await ready;
      if (dead || editor.readOnly.isEnabled === value) return;
      await read();
      await editor.readOnly.toggle(value);
      await read();
    },
    focus: () => void ready.then(() => !dead && editor.caret.setToFirstBlock("start")),
    destroy: () => {
      dead = true;
      undo.forEach((step) => step());
      holder.hidden = true;
      const end = () => holder.remove();
      void editor.isReady.then(() => editor.destroy()).then(end, end);
    },
  };
}
