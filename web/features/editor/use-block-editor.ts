import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref, type RefObject } from "react";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { toasts } from "../../lib/toasts.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { fromEditor, toEditor } from "./editor-content.ts";
import { mountEditor, type MountedEditor } from "./mount-editor.ts";
import type { UndoDirection } from "./undo-keys.ts";
import type { PostImages } from "./blocks/editor-block.ts";
import { showNotAnImage, useImageUpload } from "./use-image-upload.ts";

export interface BlockEditorHandle {
  read(): Promise<EditorOutput>;
  replace(content: EditorOutput): Promise<void>;
  /**
   * Replaces without moving the caret or the scroll position. False if the user typed meanwhile or the blocks aren't `from` any longer.
   */
  show(content: EditorOutput, from?: EditorOutput): Promise<boolean>;
  settled(): Promise<void>;
  focus(typed?: string): void;
  writeBelow(blockId: string, words: string): void;
  step(direction: UndoDirection): void;
}

export interface BlockEditorOptions {
  /** Initial content; later values are ignored (use `replace`). */
  content: EditorOutput;
  readOnly: boolean;
  workspaceId: string;
  onChange(): void;
  /** State of an upload: "changed" when it arrived, "over" when it failed. */
  onUpload(state: "begun" | "changed" | "over"): void;
  onReady(): void;
  handle: Ref<BlockEditorHandle>;
}

export interface BlockEditorState {
  place: RefObject<HTMLDivElement | null>;
  status: "loading" | "ready" | "failed";
  /** Progress of each upload, 0 to 1. */
  uploading: readonly number[];
}

export function useBlockEditor({ content, readOnly, workspaceId, handle, ...listeners }: BlockEditorOptions): BlockEditorState {
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedEditor | null>(null);
  const [status, setStatus] = useState<BlockEditorState["status"]>("loading");
  const { upload, copy, uploading } = useImageUpload(workspaceId);
  const latest = useLatest({ ...listeners, upload, copy });
  const underWay = useRef(new Set<Promise<unknown>>());
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
      copy: (url) => follow(latest.current.copy(url), () => true), // an image that can't be copied becomes a link
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
      onImagesLeftOut: showLeftOut,
      onFilesRejected: showNotAnImage,
    });
    mounted.current = editor;
    const settle = (next: BlockEditorState["status"]) => mounted.current === editor && setStatus(next);
    editor.ready.then(
      () => settle("ready"),
      (error: unknown) => {
        console.error("The editor couldn't start", error);
        settle("failed");
      },
    );
    return () => {
      mounted.current = null;
      editor.destroy();
    };
  }, [latest, images]);

  useEffect(() => {
    if (status === "ready") latest.current.onReady(); // only once visible: hidden elements can't be focused
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
          await new Promise((done) => setTimeout(done)); // lets its block update
        }
      },
      focus: (typed) => mounted.current?.focus(typed),
      writeBelow: (blockId, words) => mounted.current?.writeBelow(blockId, words),
      step: (direction) => mounted.current?.step(direction),
    };
  }, []);

  return { place, status, uploading };
}

function showLeftOut(images: number): void {
  const title = images === 1 ? "1 image wasn't pasted" : `${images} images weren't pasted`;
  toasts.info(title, "The clipboard has no PNG, JPEG, WebP or GIF version. Upload the image as a file instead.");
}

function fail(): never {
  throw new Error("The editor isn't on the screen");
}
