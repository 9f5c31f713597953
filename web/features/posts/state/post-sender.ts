import type { CreatePostInput, Post, UpdatePostInput } from "#contract/posts.ts";
import { isUnanswered } from "../model/save-trouble.ts";
import { createBody, isOutcomeOf, updateBody, type Intent, type Writing } from "../model/write.ts";

/** One write as it went out. `changes` is how much of the person's work it holds. */
export interface Outgoing {
  intent: Intent;
  writing: Writing;
  /** It makes the post. */
  created: boolean;
}

export interface PostSender {
  /** The post as the server last knew it; null until it was created. What the next write builds on. */
  base(): Post | null;
  /** Sends one write, in the name of the version it was written on, or of none. Throws an ApiError. */
  send(writing: Writing, intent: Intent, version: number | undefined): Promise<void>;
  /** A write whose answer never came: the server may have it or not. */
  unanswered(): Outgoing | null;
  /** Sends that write once more. Its key makes both one: a save is never refused because of itself, a post never made twice. */
  repeat(): Promise<void>;
  /** Looks whether the server has that write, without sending it again, and forgets it. True when it has. Throws an ApiError. */
  lookFor(): Promise<boolean>;
  /** The post is gone: the next write makes a new one. */
  startOver(): void;
}

export interface PostSenderOptions {
  opened: Post | null;
  workspaceId: string;
  save(arg: { id: string; body: UpdatePostInput; key: string }): Promise<Post>;
  create(arg: { body: CreatePostInput; key: string }): Promise<Post>;
  read(id: string): Promise<Post>;
  onSent(post: Post, sent: Outgoing): void;
}

export function createPostSender({ opened, workspaceId, save, create, read, onSent }: PostSenderOptions): PostSender {
  let base = opened;
  let open: (Outgoing & { go(): Promise<Post> }) | null = null;

  const settle = async (outgoing: NonNullable<typeof open>) => {
    open = outgoing;
    try {
      base = await outgoing.go();
      open = null;
    } catch (error) {
      if (!isUnanswered(error)) open = null;
      throw error;
    }
    onSent(base, outgoing);
  };

  return {
    base: () => base,
    unanswered: () => open,
    send: async (writing, intent, version) => {
      const key = crypto.randomUUID();
      const before = base;
      const go = before
        ? () => save({ id: before.id, body: updateBody(writing, intent, version), key })
        : () => create({ body: createBody(writing, intent, workspaceId), key });
      await settle({ intent, writing, created: before === null, go });
    },
    repeat: async () => {
      if (open) await settle(open);
    },
    lookFor: async () => {
      if (!open || !base) return false;
      const [outgoing, before] = [open, base];
      const found = await read(before.id);
      open = null;
      if (found.version !== before.version + 1 || !isOutcomeOf(outgoing.writing, outgoing.intent, found)) return false;
      base = found;
      onSent(found, outgoing);
      return true;
    },
    startOver: () => {
      open = null;
      base = null;
    },
  };
}
