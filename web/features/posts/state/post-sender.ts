import type { CreatePostInput, Post, UpdatePostInput } from "#contract/posts.ts";
import { saveTrouble } from "../model/save-trouble.ts";
import { createBody, updateBody, type Intent, type Writing } from "../model/write.ts";

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
  /** The unanswered write is left to its fate; the version check finds out. */
  drop(): void;
  /** The post is gone: the next write makes a new one. */
  startOver(): void;
}

export interface PostSenderOptions {
  opened: Post | null;
  workspaceId: string;
  save(arg: { id: string; body: UpdatePostInput; key: string }): Promise<Post>;
  create(arg: { body: CreatePostInput; key: string }): Promise<Post>;
  onSent(post: Post, sent: Outgoing): void;
}

export function createPostSender({ opened, workspaceId, save, create, onSent }: PostSenderOptions): PostSender {
  let base = opened;
  let open: (Outgoing & { go(): Promise<Post> }) | null = null;

  const settle = async (outgoing: NonNullable<typeof open>) => {
    open = outgoing;
    try {
      base = await outgoing.go();
      open = null;
    } catch (error) {
      if (saveTrouble(error).reason !== "unanswered") open = null;
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
    drop: () => (open = null),
    startOver: () => {
      open = null;
      base = null;
    },
  };
}
