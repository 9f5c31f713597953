import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database, Json, RowOf } from "#contract/database.ts";
import type { DomainState } from "#contract/domains.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";

/** A name of a workspace's own, as the database keeps it. */
export type DomainRow = Omit<RowOf<"domains">, "state"> & { state: DomainState };

/**
 * Names that are looked at again, and what was found (supabase/schemas/85-domains.sql). With the service role: a clock is nobody, and nobody says of
 * himself that his name is proven.
 */
export class DomainClaims {
  readonly #service: SupabaseClient<Database>;

  constructor({ supabaseUrl, secretKey }: Env) {
    this.#service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
  }

  /** Takes up to so many that are due, and the subdomains of their workspaces. */
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

  /** Null: it is not what it was when it was looked at. */
  async settle({ host, token, state }: DomainRow, outcome: object): Promise<DomainRow | null> {
    const asked = this.#service.rpc("settle_domain", { host, token, was: state, outcome: outcome as Json });
    const { data } = await asked.throwOnError();
    const settled = data as DomainRow | null;
    return settled?.host ? settled : null;
  }
}
