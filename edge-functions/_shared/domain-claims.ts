import type { SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database, Json, RowOf } from "#contract/database.ts";
import type { DomainState } from "#contract/domains.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";

export type DomainRow = Omit<RowOf<"domains">, "state"> & { state: DomainState };

/** Domain checks with the service role (supabase/schemas/42-domains.sql): users must not verify their own domains. */
export class DomainClaims {
  readonly #service: SupabaseClient<Database>;

  constructor(env: Env) {
    this.#service = serviceClient(env);
  }

  async toCheck(id: string): Promise<AnswerOf<"domain_to_check">[number] | undefined> {
    return (await this.#service.rpc("domain_to_check", { id }).throwOnError()).data[0];
  }

  /** Compare-and-set; null if the state changed since the check. */
  async settle({ host, token, state }: DomainRow, outcome: object): Promise<DomainRow | null> {
    const settling = this.#service.rpc("settle_domain", { host, token, was: state, outcome: outcome as Json });
    const { data } = await settling.throwOnError();
    const settled = data as DomainRow | null;
    return settled?.host ? settled : null;
  }
}
