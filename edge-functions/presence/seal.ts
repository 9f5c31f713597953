import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { blockId } from "#contract/blocks/limits.ts";
import type { Env } from "../_shared/env.ts";
import { type Doing, tracked, type Tracked } from "./roster.ts";

const expiring = tracked.extend({ exp: z.number() }).transform(({ exp, ...person }) => ({ person, until: exp * 1_000 }));
/** Cache: each message is decrypted once for all tabs of a worker, invalid ones included. */
export interface OpenedSeals {
  tracked: Map<string, Promise<z.output<typeof expiring> | undefined>>;
  editing: Map<string, Promise<Editing | undefined>>;
}
export const openedSeals = (): OpenedSeals => ({ tracked: new Map(), editing: new Map() });
const mostOpened = { tracked: 5_000, editing: 500 };
const longest = 6_000;

/** `at` in milliseconds since 1970 prevents replays. Earlier versions omit positions. */
const editing = z
  .object({
    sub: z.string(),
    isEditing: z.boolean(),
    blockId: z.string().regex(blockId).nullish(),
    isTyping: z.boolean().optional(),
    isLeaving: z.boolean().optional(),
    at: z.number(),
  })
  .transform(({ sub, blockId = null, isTyping = false, isLeaving = false, ...rest }): Editing => {
    return { tab: sub, isEditing: rest.isEditing, blockId, isTyping, isLeaving, at: rest.at };
  });
export interface Editing extends Doing {
  tab: string;
  isLeaving: boolean;
  at: number;
}

/**
 * Authenticates messages between bridges, because members can write to the channel with their own token. Sealed with a server-side key for
 * one post, tab and session, which prevents forgery and replay. The key is derived from the secret key.
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

  closeTracked(tab: string, state: Tracked, until: number): Promise<string> {
    return this.#close(tab, state, until);
  }

  closeEditing({ tab, ...rest }: Editing, until: number): Promise<string> {
    return this.#close(tab, rest, until);
  }

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

function once<Value>(cache: Map<string, Value>, most: number, key: string, make: () => Value): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  if (cache.size > most) cache.delete(cache.keys().next().value!);
  return value;
}
