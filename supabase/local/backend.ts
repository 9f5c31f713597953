import type { Sql } from "postgres";
import type { Part } from "./engine/parts.ts";
import type { Postgres } from "./engine/postgres.ts";
import type { Keys } from "./keys.ts";

/** Supabase as the functions and the gateway need it: embedded, or a project elsewhere. */
export interface Backend {
  /** In the order in which they start. */
  parts: (Part | null)[];
  keys: Keys;
  /** With the most rights there are: the superuser's, or the project's role postgres. */
  sql: Sql;
  /** Connection strings of that role, and of the one that migrations run as. */
  adminUrl: string;
  ownerUrl: string;
  /** Null: the database runs elsewhere. */
  postgres: Postgres | null;
  databaseAnswers(): Promise<boolean>;
  /** Auth, REST and Storage; null while they cannot work. */
  fetch(request: Request, clientAddress: string): Promise<Response | null>;
  /** `body`: all of it. Null while it cannot work. */
  realtime(request: Request, clientAddress: string, body: Uint8Array | null): Response | Promise<Response | null> | null;
}
