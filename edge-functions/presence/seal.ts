import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { blockId } from "#contract/blocks/limits.ts";
import type { Env } from "../_shared/env.ts";
import { type Doing, tracked, type Tracked } from "./roster.ts";

const expiring = tracked.extend({ exp: z.number() }).transform(({ exp, ...person }) => ({ person, until: exp * 1_000 }));
/** Every tab of a worker hears every other one of its post: each seal is opened once for all of them, also one that is none. */
export interface OpenedSeals {
  tracked: Map<string, Promise<z.output<typeof expiring> | undefined>>;
  /** Apart, because there are many of these and each is heard once: they push out no other. */
  editing: Map<string, Promise<Editing | undefined>>;
}
export const openedSeals = (): OpenedSeals => ({ tracked: new Map(), editing: new Map() });
const mostOpened = { tracked: 5_000, editing: 500 };
/** A name and the address of a picture fit; what others say does not take up more room than that. */
const longest = 6_000;

/** `at`, milliseconds since 1970: what was said before does not count again. A bridge of an earlier version says nothing of places. */
const editing = z
  .object({
    sub: z.string(),
    isEditing: z.boolean(),
    blockId: z.string().regex(blockId).nullish(),
    isTyping: z.boolean().optional(),
    isLeaving: z.boolean().optional(),
    at: z.number(),
  })
  .transform(({ sub, blockId = null, isTyping = false, isLeaving = false, ...said }): Editing => {
    return { tab: sub, isEditing: said.isEditing, blockId, isTyping, isLeaving, at: said.at };
  });
export interface Editing extends Doing {
  tab: string;
  /** The tab was closed on purpose: nobody waits for it to come back. */
  isLeaving: boolean;
  at: number;
}

/**
 * What bridges tell each other through a post's channel. Its members may speak there too (their own token opens it), so each message is
 * sealed: with a key that only the server has, for one post, one tab and one session, so that nobody can show it elsewhere or later. Of the
 * secret key that one is made; it is not sent anywhere.
 */
export class Seal {
  readonly #key: Uint8Array;
  readonly #post: string;
  readonly #opened: OpenedSeals;

  constructor({ secretKey }: Pick<Env, "secretKey">, post: string, opened = openedSeals()) {
    this.#key = new TextEncoder().encode(`presence ${secretKey}`);
    this.#post = post;
    this.#opened = opened;
  }

  /** `until`: when the session ends, in milliseconds since 1970. */
  closeTracked(tab: string, state: Tracked, until: number): Promise<string> {
    return this.#close(tab, state, until);
  }

  closeEditing({ tab, ...said }: Editing, until: number): Promise<string> {
    return this.#close(tab, said, until);
  }

  /** Who is at the post by a tab; undefined when no bridge of ours has said so of it. */
  async openTracked(tab: string, sealed: unknown): Promise<Tracked | undefined> {
    if (typeof sealed !== "string" || sealed.length > longest || tab.length > longest) return undefined;
    const opening = once(this.#opened.tracked, mostOpened.tracked, `${this.#post} ${tab} ${sealed}`, async () => {
      return expiring.safeParse(await this.#open(sealed, tab)).data;
    });
    const { person, until } = (await opening) ?? {};
    return until !== undefined && until > Date.now() ? person : undefined;
  }

  async openEditing(sealed: unknown): Promise<Editing | undefined> {
    if (typeof sealed !== "string" || sealed.length > longest) return undefined;
    const open = async () => editing.safeParse(await this.#open(sealed)).data;
    return await once(this.#opened.editing, mostOpened.editing, `${this.#post} ${sealed}`, open);
  }

  #close(tab: string, message: object, until: number): Promise<string> {
    const token = new SignJWT({ ...message }).setProtectedHeader({ alg: "HS256" }).setAudience(this.#post).setSubject(tab);
    return token.setExpirationTime(Math.ceil(until / 1_000)).sign(this.#key);
  }

  async #open(sealed: string, subject?: string): Promise<unknown> {
    try {
      return (await jwtVerify(sealed, this.#key, { algorithms: ["HS256"], audience: this.#post, subject })).payload;
    } catch {
      return undefined;
    }
  }
}

/** What was made for a key, made now if it was not, and the oldest forgotten. */
function once<Value>(made: Map<string, Value>, most: number, key: string, make: () => Value): Value {
  const value = made.get(key) ?? make();
  made.set(key, value);
  if (made.size > most) made.delete(made.keys().next().value!);
  return value;
}
