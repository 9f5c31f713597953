import type { CreatePostInput, Post, UpdatePostInput } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { isUnanswered } from "./save-trouble.ts";
import { createBody, isOutcomeOf, updateBody, type Intent, type Writing } from "./write.ts";

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
  /** In the place of a write that makes the post and got no answer: this one, unless the server has that one already. Answers which it has. */
  makeInstead(writing: Writing, intent: Intent): Promise<Outgoing>;
  /** Looks whether the server has that write, without sending it again, and forgets it. True when it has. Throws an ApiError. */
  lookFor(): Promise<boolean>;
  /** The server's post is newer than what was known here, and says the same. */
  takeOver(post: Post): void;
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

interface Attempt extends Outgoing {
  key: string;
  go(): Promise<Post>;
  /** What went out with the same key before; the server has at most one of them. */
  earlier: Attempt | null;
}

export function createPostSender({ opened, workspaceId, save, create, read, onSent }: PostSenderOptions): PostSender {
  let base = opened;
  let open: Attempt | null = null;

  const settle = async (attempt: Attempt): Promise<Outgoing> => {
    open = attempt;
    try {
      base = await attempt.go();
      open = null;
    } catch (error) {
      if (!isUnanswered(error)) open = null;
      throw error;
    }
    onSent(base, attempt);
    return attempt;
  };

  const creation = (writing: Writing, intent: Intent, key: string, earlier: Attempt | null): Attempt => {
    const body = createBody(writing, intent, workspaceId);
    return { intent, writing, created: true, key, earlier, go: () => create({ body, key }) };
  };

  /** The newest of the attempts with one key that the server takes: its key belongs to the one that arrived. */
  const settleAny = async (attempt: Attempt): Promise<Outgoing> => {
    try {
      return await settle(attempt);
    } catch (error) {
      if (isUnanswered(error) || !attempt.earlier) throw error;
      if (isKeyTaken(error)) return await settleAny(attempt.earlier);
      open = attempt.earlier; // refused as it is: what became of those before is still unknown
      throw error;
    }
  };

  return {
    base: () => base,
    unanswered: () => open,
    send: async (writing, intent, version) => {
      const key = crypto.randomUUID();
      if (!base) return void (await settle(creation(writing, intent, key, null)));
      const { id } = base;
      const body = updateBody(writing, intent, version, base);
      await settle({ intent, writing, created: false, key, earlier: null, go: () => save({ id, body, key }) });
    },
    repeat: async () => {
      if (open) await settleAny(open);
    },
    makeInstead: async (writing, intent) => {
      if (!open) throw new Error("Nothing is unanswered");
      return await settleAny(creation(writing, intent, open.key, open));
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
    takeOver: (post) => {
      base = post;
    },
    startOver: () => {
      open = null;
      base = null;
    },
  };
}

const isKeyTaken = (error: unknown): boolean => error instanceof ApiError && "idempotency_key" in error.fields;
