import postgres from "postgres";
import { usesPooler } from "../../_shared/pooler.ts";

/** Asks Postgres one thing, as anybody. */
export type Sql = <Rows extends readonly object[]>(
  query: TemplateStringsArray,
  ...values: postgres.ParameterOrFragment<never>[]
) => Promise<Rows>;

export interface Connections {
  /** How many at most; a project has few for all its functions, so two unless somebody knows better. */
  max?: number;
  /** Whether they come from a pool that gives them to others between two transactions; Supabase's is known by its port. */
  pooled?: boolean;
}

const role = "anon"; // may do what anybody may do, so the database decides what is public
const patienceMs = 5_000;

/**
 * The way to the database; unused connections are closed soon. A transaction pooler takes neither settings with a connection nor prepared
 * statements: there every question is a transaction that sets the role for itself.
 */
export function connect(databaseUrl: string, { max = 2, pooled = usesPooler(databaseUrl) }: Connections = {}): Sql & Connected {
  const settings = pooled ? {} : { role, statement_timeout: patienceMs };
  const client = postgres(databaseUrl, {
    max,
    idle_timeout: 10,
    connect_timeout: 3,
    backoff: () => 0.1, // a restarted Postgres is found again within two seconds
    prepare: !pooled,
    connection: { application_name: "releases", ...settings },
    onnotice: () => {},
  });
  const inTransaction: Sql = <Rows>(query: TemplateStringsArray, ...values: postgres.ParameterOrFragment<never>[]) =>
    client.begin(async (transaction) => {
      await transaction.unsafe(`set local role ${role}; set local statement_timeout = ${patienceMs}`);
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

/** Whether the database was away or overloaded, so that the same request may succeed in a moment. */
export function isUnavailable(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === "string" && codes.test(code);
}
