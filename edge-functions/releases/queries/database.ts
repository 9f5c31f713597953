import postgres from "postgres";

export type Sql = postgres.Sql;

/** Connections that may do what anybody may do: role anon, so the database decides what is public. */
export function connect(databaseUrl: string): Sql {
  return postgres(databaseUrl, {
    max: 4,
    idle_timeout: 60,
    connect_timeout: 3,
    backoff: () => 0.1, // a restarted Postgres is found again within two seconds
    prepare: new URL(databaseUrl).port !== "6543", // Supabase's transaction pooler knows no prepared statements
    connection: { role: "anon", application_name: "releases", statement_timeout: 5_000 },
    onnotice: () => {},
  });
}

const codes = /^(?:CONNECT|CONNECTION_|ECONN|EPIPE|08|53|57|55P03)/;

/** Whether the database was away or overloaded, so that the same request may succeed in a moment. */
export function isUnavailable(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === "string" && codes.test(code);
}
