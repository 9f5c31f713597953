import { type DomainOutcome, nextDomainState } from "#contract/rules/domain-state.ts";
import type { Dns } from "../../_shared/dns.ts";
import { DomainClaims, type DomainRow } from "../../_shared/domain-claims.ts";
import type { Env } from "../../_shared/env.ts";
import { describeFault, log } from "../../_shared/log.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { knock, lookUp } from "./look.ts";

/** So many at once: each waits for others most of the time. */
const abreast = 5;
/** How long a clock that asks all day waits before it asks the database again. */
const restMs = 15_000;

/** Looks at names of workspaces: by itself when they are due, and when somebody asks for it. */
export class DomainChecker {
  readonly #env: Env;
  readonly #dns: Dns;
  readonly #network: Network;
  readonly #claims: DomainClaims;
  #working: Promise<void> | null = null;
  #restedAt = -Infinity;

  constructor(env: Env, dns: Dns, network: Network) {
    this.#env = env;
    this.#dns = dns;
    this.#network = network;
    this.#claims = new DomainClaims(env);
  }

  /** Where the CNAME of a workspace's name leads to. */
  targetOf(subdomain: string): string {
    return `${subdomain}.${new URL(this.#env.publicUrl).hostname}`;
  }

  /** Looks at what is due, once at a time; any number of processes share the work. What goes wrong is said in the log. */
  async wake(): Promise<void> {
    if (this.#working !== null) return;
    if (performance.now() - this.#restedAt < restMs / this.#env.rateLimitScale) return;
    this.#working = this.#work()
      .catch((error: unknown) => log({ event: "domains not looked at", reason: describeFault(error).message }))
      .finally(() => {
        this.#working = null;
        this.#restedAt = performance.now();
      });
    await this.#working;
  }

  async #work(): Promise<void> {
    const due = await this.#claims.take(abreast);
    await Promise.all(
      due.map(async ({ row, subdomain }) => {
        try {
          await this.look(row, subdomain);
        } catch (error) {
          log({ event: "domain not looked at", host: row.host, reason: describeFault(error).message });
        }
      }),
    );
  }

  /** Looks at one now, and answers what is known of it then. */
  async look(before: DomainRow, subdomain: string): Promise<DomainRow> {
    const { host, token } = before;
    const wanted = { host, token, target: this.targetOf(subdomain), authorities: this.#env.certificateAuthorities };
    const { look, found, forbidden } = await lookUp(this.#dns, wanted);
    const settle = async (row: DomainRow, isThere: boolean | null, problem: string | null): Promise<DomainRow | null> => {
      const outcome: DomainOutcome = nextDomainState(row, { ...look, isThere, problem }, new Date(), Math.random());
      const settled = await this.#claims.settle(row, { ...outcome, found });
      if (settled !== null && settled.state !== row.state) log({ event: "domain", host, from: row.state, to: settled.state });
      return settled;
    };
    if (look.isProven !== true) return (await settle(before, null, look.problem)) ?? before;
    // Its page can only come once the front door knows it, so that is written down before anybody knocks.
    const isKnown = before.state !== "dns" && !(before.state === "lost" && !before.leads);
    const row = isKnown || look.leadsHere !== true ? before : await settle(before, false, null);
    if (row === null) return before; // somebody else has looked meanwhile, or it was given up
    const { domainsAt: at } = this.#env;
    const reason = await knock({ network: this.#network, at }, host);
    // Where the door is asked in another way than readers come, its answer says nothing of a name that leads them elsewhere.
    const isThere = reason === null && (at === null || look.leadsHere !== false);
    const problem = isThere ? null : (look.problem ?? forbidden ?? reason);
    return (await settle(row, isThere, problem)) ?? row;
  }
}
