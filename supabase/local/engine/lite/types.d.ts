/** The little of @supabase/lite that the stack uses. Its own types are left out: they pull in packages that Deno does not find here. */
import type { Options, Sql } from "postgres";

export class App {
  _storageAdapter: unknown;
  constructor(config: Record<string, unknown>);
  /** Makes the schemas auth, storage and supabase_migrations where they are missing. */
  ensureSystemSchema(): Promise<void>;
  fetch(request: Request, context: { peerAddress: string }): Promise<Response>;
}

/** What lite knows of the schema: more than is named here. */
export interface Introspection {
  views: { name: string; sql: string }[];
}

/** `rlsState` other than "unknown" keeps the connection from granting every table to anon and authenticated at its first request. */
export interface PostgresConnection {
  rlsState: "unknown" | "active" | "inactive";
  /** What a driver's error is for lite, or null. */
  normalizeDbError(thrown: unknown): unknown;
  introspect(options?: { useCache?: boolean }): Promise<Introspection>;
  /** postgres.js; only `reserve` is called when queries run. */
  readonly driver: Omit<Sql, "reserve"> & { reserve(): Promise<unknown> };
}

export function createPostgresConnection(options: {
  url: string;
  postgresOptions: Options<Record<string, never>> | Record<string, unknown>;
}): PostgresConnection;
