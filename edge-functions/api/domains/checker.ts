import { type DomainOutcome, nextDomainState } from "#contract/rules/domain-state.ts";
import type { Dns } from "../../_shared/dns.ts";
import { DomainClaims, type DomainRow } from "../../_shared/domain-claims.ts";
import type { Env } from "../../_shared/env.ts";
import type { Job, Task } from "../../_shared/jobs.ts";
import { log } from "../../_shared/log.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { knock, lookUp } from "./dns-checks.ts";

const withoutAddOnSeconds = 3_600;

export class DomainChecker implements Task {
  readonly concurrency = 5;
  readonly #env: Env;
  readonly #dns: Dns;
  readonly #network: Network;
  readonly #claims: DomainClaims;

  constructor(env: Env, dns: Dns, network: Network) {
    this.#env = env;
    this.#dns = dns;
    this.#network = network;
    this.#claims = new DomainClaims(env);
  }

  targetOf(subdomain: string): string {
    return `${subdomain}.${new URL(this.#env.publicUrl).hostname}`;
  }

  async run({ id }: Job): Promise<number | "ended" | void> {
    const due = await this.#claims.toCheck(id);
    if (due === undefined) return;
    if (!due.has_add_on) return withoutAddOnSeconds;
    await this.look(due.domain as unknown as DomainRow, due.subdomain);
    return "ended";
  }

  async look(before: DomainRow, subdomain: string): Promise<DomainRow> {
    const { host, token } = before;
    const expected = { host, token, target: this.targetOf(subdomain), authorities: this.#env.certificateAuthorities };
    const { look, found, forbidden } = await lookUp(this.#dns, expected);
    const settle = async (row: DomainRow, isThere: boolean | null, problem: string | null): Promise<DomainRow | null> => {
      const outcome: DomainOutcome = nextDomainState(row, { ...look, isThere, problem }, new Date(), Math.random());
      const settled = await this.#claims.settle(row, { ...outcome, found });
      if (settled !== null && settled.state !== row.state) log({ event: "domain", host, from: row.state, to: settled.state });
      return settled;
    };
    if (look.isProven !== true) return (await settle(before, null, look.problem)) ?? before;
    // Saves the state first: the front door must know the domain before the https check.
    const isKnown = before.state !== "dns" && !(before.state === "lost" && !before.leads);
    const row = isKnown || look.leadsHere !== true ? before : await settle(before, false, null);
    if (row === null) return before;
    const { domainsAt: at } = this.#env;
    const reason = await knock({ network: this.#network, at }, host);
    // With another address than readers use, the check says nothing about a domain that points elsewhere.
    const isThere = reason === null && (at === null || look.leadsHere !== false);
    const problem = isThere ? null : (look.problem ?? forbidden ?? reason);
    return (await settle(row, isThere, problem)) ?? row;
  }
}
