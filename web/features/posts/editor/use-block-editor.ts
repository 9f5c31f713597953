import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref, type RefObject } from "react";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { fromEditor, toEditor } from "./editor-content.ts";
import { mountEditor, type MountedEditor } from "./mount-editor.ts";
import type { UndoDirection } from "./undo-keys.ts";
import type { PostImages } from "./blocks/editor-block.ts";
import { sayNoPicture, useImageUpload } from "./use-image-upload.ts";

/** What the page around the editor can ask of it. Contents are cleaned on the way in and out. */
export interface BlockEditorHandle {
  read(): Promise<EditorOutput>;
  replace(content: EditorOutput): Promise<void>;
  /**
   * The same where the person reads on or has the caret; false when something was written in that moment, which is left alone, or when the
   * blocks are others than `from` by then.
   */
  show(content: EditorOutput, from?: EditorOutput): Promise<boolean>;
  /** Resolves when no image is on its way any more: what arrived is in its block. */
  settled(): Promise<void>;
  /** Puts the caret at the start, behind what was typed before the editor was there. */
  focus(typed?: string): void;
  /** Puts words into a paragraph of their own below a block. */
  writeBelow(blockId: string, words: string): void;
  step(direction: UndoDirection): void;
}

export interface BlockEditorOptions {
  /** What the editor begins with; later values are ignored (use `replace`). */
  content: EditorOutput;
  readOnly: boolean;
  workspaceId: string;
  onChange(): void;
  /** An image is on its way, or no more: `changed` when it arrived, `over` when nothing came of it. */
  onUpload(state: "begun" | "changed" | "over"): void;
  /** The blocks are on the screen. */
  onReady(): void;
  handle: Ref<BlockEditorHandle>;
}

export interface BlockEditorState {
  /** Where the editor lives. */
  place: RefObject<HTMLDivElement | null>;
  status: "loading" | "ready" | "failed";
  /** Images on their way to the server: the share of each that has been sent. */
  uploading: readonly number[];
}

/** One Editor.js for the life of the component, in an element of its own. */
export function useBlockEditor({ content, readOnly, workspaceId, handle, ...listeners }: BlockEditorOptions): BlockEditorState {
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedEditor | null>(null);
  const [status, setStatus] = useState<BlockEditorState["status"]>("loading");
  const { upload, copy, uploading } = useImageUpload(workspaceId);
  const latest = useLatest({ ...listeners, upload, copy });
  const underWay = useRef(new Set<Promise<unknown>>()); // uploads and copies
  const first = useRef({ content, readOnly });

  const follow = useCallback(
    async <Answer>(work: Promise<Answer>, changes: (answer: Answer) => boolean): Promise<Answer> => {
      underWay.current.add(work);
      latest.current.onUpload("begun");
      const answer = await work; // never rejects
      underWay.current.delete(work);
      latest.current.onUpload(changes(answer) ? "changed" : "over");
      return answer;
    },
    [latest],
  );
  const images = useMemo<PostImages>(
    () => ({
      upload: (file) => follow(latest.current.upload(file), ({ success }) => success === 1),
      copy: (url) => follow(latest.current.copy(url), () => true), // a link takes its place where it can't be copied
    }),
    [latest, follow],
  );

  useEffect(() => {
    const holder = Object.assign(document.createElement("div"), { className: "post-editor-holder" });
    place.current?.append(holder);
    const editor = mountEditor({
      holder,
      content: toEditor(first.current.content),
      readOnly: first.current.readOnly,
      images,
      onChange: () => latest.current.onChange(),
      onPicturesLeftOut: sayLeftOut,
      onFilesPassedOver: sayNoPicture,
    });
    mounted.current = editor;
    const settle = (next: BlockEditorState["status"]) => mounted.current === editor && setStatus(next);
    editor.ready.then(
      () => settle("ready"),
      (error: unknown) => {
        console.error("The editor could not start", error);
        settle("failed");
      },
    );
    return () => {
      mounted.current = null;
      editor.destroy();
    };
  }, [latest, images]);

  useEffect(() => {
    if (status === "ready") latest.current.onReady(); // not before it is shown: what is hidden takes no focus
  }, [status, latest]);

  useEffect(() => {
    void mounted.current?.setReadOnly(readOnly);
  }, [readOnly]);

  useImperativeHandle(handle, () => {
    const editor = () => mounted.current ?? fail();
    return {
      read: async () => fromEditor(await editor().read()),
      replace: (next) => editor().replace(toEditor(next)),
      show: (next, from) => editor().show(toEditor(next), from),
      settled: async () => {
        while (underWay.current.size > 0) {
          await Promise.all(underWay.current);
          await new Promise((done) => setTimeout(done)); // its block takes it
        }
      },
      focus: (typed) => mounted.current?.focus(typed),
      writeBelow: (blockId, words) => mounted.current?.writeBelow(blockId, words),
      step: (direction) => mounted.current?.step(direction),
    };
  }, []);

  return { place, status, uploading };
}

function sayLeftOut(images: number): void {
  const title = images === 1 ? "An image was left out" : `${images} images were left out`;
  toasts.info(title, "The clipboard doesn't hold it as PNG, JPEG, WebP or GIF. Save it as a file and add that.");
}

function fail(): never {
  throw new Error("The editor is not on the screen");
}
