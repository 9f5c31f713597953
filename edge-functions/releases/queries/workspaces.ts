import { InFlight } from "../../_shared/in-flight.ts";
import type { Sql } from "./database.ts";
import { findWorkspace, publicVersion, type PublicWorkspace } from "./releases.ts";

/** Readers wait for each other this long at most; it keeps the questions about one workspace below a thousand a second. */
const gapMs = 1;
const kept = 1_000;

/** Open workspaces by subdomain: their public version, asked for anew each time, and the rest, kept for as long as that is the same. */
export class Workspaces {
  readonly #sql: Sql;
  readonly #mails: boolean;
  readonly #known = new Map<string, PublicWorkspace>();
  readonly #finding = new InFlight<PublicWorkspace | undefined>();
  /** What stands for all that a reader can see of it; null when there is none or it is not public. */
  readonly versionOf: (subdomain: string) => Promise<string | null>;

  /** `mails`: whether mails can be sent at all. */
  constructor(sql: Sql, mails: boolean) {
    this.#sql = sql;
    this.#mails = mails;
    this.versionOf = sharing((subdomain) => publicVersion(sql, subdomain), gapMs);
  }

  /** As of that version or a later one, which it says; undefined when it has closed meanwhile. */
  async at(subdomain: string, version: string): Promise<PublicWorkspace | undefined> {
    const known = this.#known.get(subdomain);
    if (known?.version_tag === version) return known;
    this.#known.delete(subdomain);
    const found = await this.#finding.share(`${subdomain} ${version}`, () => findWorkspace(this.#sql, subdomain));
    if (found === undefined) return undefined;
    found.mails &&= this.#mails;
    this.#known.set(subdomain, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > kept && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }
}

interface Round<Answer> {
  running: Promise<Answer>;
  /** Resolves when the next question may be asked. */
  over: Promise<unknown>;
  /** Begins when this round is over; whoever asks until then waits for it. */
  next: Promise<Answer> | null;
}

/**
 * Lets equal questions that are asked at the same time share one, and asks none twice within `gapMs`. Nobody hears an answer that was
 * begun before he asked, so it is as fresh as his own would be; any number of readers cost the database one question after the other.
 */
export function sharing<Answer>(ask: (about: string) => Promise<Answer>, gapMs: number): (about: string) => Promise<Answer> {
  const rounds = new Map<string, Round<Answer>>();

  function begin(about: string): Promise<Answer> {
    const running = ask(about);
    const gap = new Promise((resolve) => setTimeout(resolve, gapMs));
    const round: Round<Answer> = { running, over: Promise.allSettled([running, gap]), next: null };
    rounds.set(about, round);
    void round.over.then(() => round.next === null && rounds.delete(about));
    return running;
  }

  return (about) => {
    const round = rounds.get(about);
    if (round === undefined) return begin(about);
    return (round.next ??= round.over.then(() => begin(about)));
  };
}
