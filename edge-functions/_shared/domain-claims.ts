import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database, Json, RowOf } from "#contract/database.ts";
import type { DomainState } from "#contract/domains.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";

export type DomainRow = Omit<RowOf<"domains">, "state"> & { state: DomainState };

/** Domain checks with the service role (supabase/schemas/85-domains.sql): users must not verify their own domains. */
export class DomainClaims {
  readonly #service: SupabaseClient<Database>;

  constructor({ supabaseUrl, secretKey }: Env) {
    this.#service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
  }

  /** Leases due domains, with their workspaces' subdomains. */
  async take(batch: number): Promise<{ row: DomainRow; subdomain: string }[]> {
    const rows = (await this.#service.rpc("claim_domains", { batch }).throwOnError()).data;
    if (rows.length === 0) return [];
    const ids = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
    const { data: workspaces } = await this.#service.from("workspaces").select("id, subdomain").in("id", ids).throwOnError();
    const subdomains = new Map(workspaces.map(({ id, subdomain }) => [id, subdomain]));
    return rows.flatMap((row) => {
      const subdomain = subdomains.get(row.workspace_id);
      return subdomain === undefined ? [] : [{ row: row as DomainRow, subdomain }];
    });
  }

  /** Compare-and-set; null if the state changed since the check. */
  async settle({ host, token, state }: DomainRow, outcome: object): Promise<DomainRow | null> {
    const asked = this.#service.rpc("settle_domain", { host, token, was: state, outcome: outcome as Json });
    const { data } = await asked.throwOnError();
    const settled = data as DomainRow | null;
    return settled?.host ? settled : null;
  }
}
