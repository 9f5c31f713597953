import postgres from "postgres";
import { usesPooler } from "../../_shared/pooler.ts";

export type Sql = <Rows extends readonly object[]>(
  query: TemplateStringsArray,
  ...values: postgres.ParameterOrFragment<never>[]
) => Promise<Rows>;

export interface Connections {
  /** Pool size; projects have few connections for all functions. */
  max?: number;
  pooled?: boolean;
}

const role = "anon"; // RLS and grants decide what is public
const timeoutMs = 5_000;

/**
 * Closes idle connections. A transaction pooler supports neither connection settings nor prepared statements, so each query is a
 * transaction that sets the role.
 */
export function connect(databaseUrl: string, { max = 2, pooled = usesPooler(databaseUrl) }: Connections = {}): Sql & Connected {
  const settings = pooled ? {} : { role, statement_timeout: timeoutMs };
  const client = postgres(databaseUrl, {
    max,
    idle_timeout: 10,
    connect_timeout: 3,
    backoff: () => 0.1, // reconnects to a restarted Postgres within two seconds
    prepare: !pooled,
    connection: { application_name: "releases", ...settings },
    onnotice: () => {},
  });
  const inTransaction: Sql = <Rows>(query: TemplateStringsArray, ...values: postgres.ParameterOrFragment<never>[]) =>
    client.begin(async (transaction) => {
      await transaction.unsafe(`set local role ${role}; set local statement_timeout = ${timeoutMs}`);
      return await transaction(query, ...values);
    }) as Promise<Rows>;
  const directly: Sql = <Rows>(query: TemplateStringsArray, ...values: postgres.ParameterOrFragment<never>[]) =>
    client(query, ...values) as unknown as Promise<Rows>;
  return Object.assign(pooled ? inTransaction : directly, { pooled, end: () => client.end() });
}

interface Connected {
  readonly pooled: boolean;
  end(): Promise<void>;
}

const codes = /^(?:CONNECT|CONNECTION_|ECONN|EPIPE|08|53|57|55P03)/;

export function isUnavailable(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === "string" && codes.test(code);
}
