import { useCallback, useMemo, useRef, useState, type RefObject } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Post } from "#contract/posts.ts";
import { isSameTags, type Writing } from "./write.ts";
import type { LocalDraft } from "./draft-store.ts";
import { useAutosave } from "./use-autosave.ts";
import { useLocalDraft, type LocalDrafts } from "./use-local-draft.ts";
import { usePostWriter, type PostWriter } from "./use-post-writer.ts";
import { useUnsaved, type Unsaved } from "./use-unsaved.ts";

/** The running block editor, as far as a writing session needs it. */
export interface BodyEditor {
  read(): Promise<EditorOutput>;
  replace(content: EditorOutput): Promise<void>;
  settled(): Promise<void>;
}

export interface PostSession extends PostWriter, Pick<Unsaved, "dirty" | "dirtyRef"> {
  title: string;
  tags: readonly string[];
  /** What the editor begins with. */
  initialContent: EditorOutput;
  drafts: LocalDrafts;
  /** What is on the screen; throws while the editor is not there. */
  read(): Promise<Writing>;
  setTitle(title: string): void;
  setTags(tags: string[]): void;
  /** The body was changed; called at every keystroke. */
  bodyChanged(): void;
  /** An image is on its way into the body, or no more. */
  uploaded(state: "begun" | "changed" | "over"): void;
  /** An image is on its way: it would not be kept. */
  uploading: boolean;
  /** Leaves what is on the screen behind on purpose: leaving asks no more, the local draft stays. */
  letGo(): Promise<void>;
  /** Puts a draft on the screen; does nothing while the editor is not there. */
  restore(draft: LocalDraft): Promise<void>;
}

export interface PostSessionOptions {
  workspaceId: string;
  userId: string;
  opened: Post | null;
  body: RefObject<BodyEditor | null>;
  onCreated(post: Post): void;
}

/** One visit of one post: what is on the screen, what the server has, what this device keeps. */
export function usePostSession({ workspaceId, userId, opened, body, onCreated }: PostSessionOptions): PostSession {
  const [fields, setFields] = useState({ title: opened?.title ?? "", tags: opened?.tags ?? [] });
  const screen = useRef(fields); // as `fields`, without waiting for the next render
  const [uploads, setUploads] = useState(0);
  const show = useCallback((part: Partial<typeof fields>) => {
    screen.current = { ...screen.current, ...part };
    setFields(screen.current);
  }, []);
  const [saved, setSaved] = useState({ id: opened?.id ?? null, version: opened?.version ?? null });
  const { dirty, dirtyRef, change, count, hold, release, savedUpTo, letGo: abandon } = useUnsaved();
  const declined = useRef(false); // a conflict was cancelled: nothing goes out by itself before the person saves again
  const initialContent = useMemo(() => (opened && parseBlocks(opened.content_raw)) ?? cleanBlocks([]), [opened]);

  const read = useCallback(async (): Promise<Writing> => {
    if (!body.current) throw new Error("The editor is not on the screen");
    const changes = count();
    return { ...screen.current, content: await body.current.read(), changes };
  }, [body, count]);

  const drafts = useLocalDraft(`${userId}:${saved.id ?? `new:${workspaceId}`}`, async () => {
    if (!dirtyRef.current || !body.current) return null;
    const { title, tags, content } = await read();
    return { workspaceId, title, tags, content, baseVersion: saved.version };
  });
  const { touch, flush, clear, forget } = drafts;

  const writer = usePostWriter({
    workspaceId,
    opened,
    read,
    settled: async () => await body.current?.settled(),
    isDirty: () => dirtyRef.current,
    onTakenOver: ({ id, version }) => setSaved({ id, version }),
    onSaved(post, { created, writing }) {
      declined.current = false;
      setSaved({ id: post.id, version: post.version });
      if (isSameTags(screen.current.tags, writing.tags)) show({ tags: post.tags }); // a colleague's that were left as they are
      if (savedUpTo(writing.changes)) void clear();
      if (created) onCreated(post);
    },
  });
  const { post, trouble, write, repeat, cancelConflict } = writer;

  // Drafts save themselves; of anything else only a save is repeated that the person asked for and that got no answer.
  const autosave = useAutosave({
    save: () => {
      if (dirtyRef.current && post?.status === "draft" && !declined.current) void write({ kind: "autosave" });
      else void repeat();
    },
    failure: trouble?.reason === "unanswered" || trouble?.reason === "unknown" ? trouble : null,
    hasty: drafts.problem !== null,
  });

  const bodyChanged = useCallback(() => {
    change();
    touch();
    autosave.touch();
  }, [change, touch, autosave]);

  const uploaded = useCallback(
    (state: "begun" | "changed" | "over") => {
      setUploads((number) => number + (state === "begun" ? 1 : -1));
      if (state === "begun") return hold();
      if (state === "changed") bodyChanged();
      if (release()) void clear();
    },
    [hold, release, bodyChanged, clear],
  );

  const edit = useCallback(
    (part: Partial<typeof fields>) => {
      show(part);
      bodyChanged();
    },
    [show, bodyChanged],
  );

  const setTitle = useCallback((title: string) => edit({ title }), [edit]);
  const setTags = useCallback((tags: string[]) => edit({ tags }), [edit]);
  const letGo = useCallback(async () => {
    await flush();
    abandon();
  }, [flush, abandon]);
  const restore = useCallback(
    async (draft: LocalDraft) => {
      if (!body.current) return;
      await body.current.replace(draft.content);
      edit({ title: draft.title, tags: draft.tags });
      if (await flush()) forget(draft); // only once it is kept under this visit's name
    },
    [body, edit, flush, forget],
  );
  const cancel = useCallback(() => {
    declined.current = true;
    cancelConflict();
  }, [cancelConflict]);

  return {
    ...writer,
    ...fields,
    cancelConflict: cancel,
    dirty,
    dirtyRef,
    initialContent,
    drafts,
    read,
    setTitle,
    setTags,
    bodyChanged,
    uploaded,
    uploading: uploads > 0,
    letGo,
    restore,
  };
}
