import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Env } from "../_shared/env.ts";
import { tracked, type Tracked } from "./roster.ts";

const expiring = tracked.extend({ exp: z.number() }).transform(({ exp, ...person }) => ({ person, until: exp * 1_000 }));
/** Every tab of a worker hears every other one of its post: each seal is opened once for all of them. */
export type OpenedSeals = Map<string, Promise<z.output<typeof expiring> | undefined>>;
const mostOpened = 5_000;
/** A name and the address of a picture fit; what others say does not take up more room than that. */
const longest = 6_000;

/** `at`, milliseconds since 1970: what was said before does not count again. */
const editing = z.object({ sub: z.string(), isEditing: z.boolean(), at: z.number() });
export interface Editing {
  tab: string;
  isEditing: boolean;
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

  constructor({ secretKey }: Pick<Env, "secretKey">, post: string, opened: OpenedSeals = new Map()) {
    this.#key = new TextEncoder().encode(`presence ${secretKey}`);
    this.#post = post;
    this.#opened = opened;
  }

  /** `until`: when the session ends, in milliseconds since 1970. */
  closeTracked(tab: string, state: Tracked, until: number): Promise<string> {
    return this.#close(tab, state, until);
  }

  closeEditing({ tab, isEditing, at }: Editing, until: number): Promise<string> {
    return this.#close(tab, { isEditing, at }, until);
  }

  /** Who is at the post by a tab; undefined when no bridge of ours has said so of it. */
  async openTracked(tab: string, sealed: unknown): Promise<Tracked | undefined> {
    if (typeof sealed !== "string" || sealed.length > longest || tab.length > longest) return undefined;
    const key = `${this.#post} ${tab} ${sealed}`;
    const opening = this.#opened.get(key) ?? this.#open(sealed, tab).then((message) => expiring.safeParse(message).data);
    this.#opened.set(key, opening);
    if (this.#opened.size > mostOpened) this.#opened.delete(this.#opened.keys().next().value!);
    const { person, until } = (await opening) ?? {};
    return until !== undefined && until > Date.now() ? person : undefined;
  }

  async openEditing(sealed: unknown): Promise<Editing | undefined> {
    const { data } = editing.safeParse(await this.#open(sealed));
    return data && { tab: data.sub, isEditing: data.isEditing, at: data.at };
  }

  #close(tab: string, message: object, until: number): Promise<string> {
    const token = new SignJWT({ ...message }).setProtectedHeader({ alg: "HS256" }).setAudience(this.#post).setSubject(tab);
    return token.setExpirationTime(Math.ceil(until / 1_000)).sign(this.#key);
  }

  async #open(sealed: unknown, subject?: string): Promise<unknown> {
    if (typeof sealed !== "string") return undefined;
    try {
      return (await jwtVerify(sealed, this.#key, { algorithms: ["HS256"], audience: this.#post, subject })).payload;
    } catch {
      return undefined;
    }
  }
}
