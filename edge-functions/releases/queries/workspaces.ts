import { InFlight } from "../../_shared/in-flight.ts";
import type { Sql } from "./database.ts";
import { findWorkspace, publicVersion, type PublicWorkspace } from "./releases.ts";

const gapMs = 1;
const maxEntries = 1_000;

/** Cache of public workspaces, validated by their version on each request. */
export class Workspaces {
  readonly #sql: Sql;
  readonly #mails: boolean;
  readonly #known = new Map<string, PublicWorkspace>();
  readonly #finding = new InFlight<PublicWorkspace | undefined>();
  readonly versionOf: (reader: string) => Promise<string | null>;

  constructor(sql: Sql, mails: boolean) {
    this.#sql = sql;
    this.#mails = mails;
    this.versionOf = sharing((reader) => publicVersion(sql, reader), gapMs);
  }

  async at(reader: string, version: string): Promise<PublicWorkspace | undefined> {
    const cached = this.#known.get(reader);
    if (cached?.version_tag === version) return cached;
    this.#known.delete(reader);
    const workspace = await this.#finding.share(`${reader} ${version}`, () => findWorkspace(this.#sql, reader));
    if (workspace === undefined) return undefined;
    workspace.mails &&= this.#mails;
    this.#known.set(reader, workspace);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
    return workspace;
  }
}

interface Round<Answer> {
  running: Promise<Answer>;
  over: Promise<unknown>;
  next: Promise<Answer> | null;
}

/** Deduplicates queries with a minimum interval. A query never answers questions asked after it started, so results aren't stale. */
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
