import type { Sql } from "postgres";
import type { Part } from "./engine/parts.ts";
import type { Postgres } from "./engine/postgres.ts";
import type { Keys } from "./keys.ts";

export interface Backend {
  parts: (Part | null)[];
  keys: Keys;
  /** Superuser, or the project's role postgres. */
  sql: Sql;
  adminUrl: string;
  ownerUrl: string;
  postgres: Postgres | null;
  databaseAnswers(): Promise<boolean>;
  /** Auth, REST and Storage; null while they're down. */
  fetch(request: Request, clientAddress: string): Promise<Response | null>;
  realtime(request: Request, clientAddress: string, body: Uint8Array | null): Response | Promise<Response | null> | null;
}
