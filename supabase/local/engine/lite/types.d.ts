/** The parts of @supabase/lite in use. Its own types import packages that Deno can't find. */
import type { Options, Sql } from "postgres";

export class App {
  _storageAdapter: unknown;
  constructor(config: Record<string, unknown>);
  ensureSystemSchema(): Promise<void>;
  fetch(request: Request, context: { peerAddress: string }): Promise<Response>;
}

export interface Introspection {
  views: { name: string; sql: string }[];
}

/** `rlsState` other than "unknown" prevents grants of all tables to anon and authenticated. */
export interface PostgresConnection {
  rlsState: "unknown" | "active" | "inactive";
  normalizeDbError(thrown: unknown): unknown;
  introspect(options?: { useCache?: boolean }): Promise<Introspection>;
  readonly driver: Omit<Sql, "reserve"> & { reserve(): Promise<unknown> };
}

export function createPostgresConnection(options: {
  url: string;
  postgresOptions: Options<Record<string, never>> | Record<string, unknown>;
}): PostgresConnection;
