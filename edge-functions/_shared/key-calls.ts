import type { PostgrestSingleResponse } from "@supabase/postgrest-js";
import type postgres from "postgres";
import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { hashOfApiKey } from "#contract/rules/api-key.ts";
import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { apiKeyRate, scaledSize } from "#contract/rate-limits.ts";
import { type DatabaseError, fromDatabase } from "./backend-errors.ts";
import type { Database } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import { usesPooler } from "./pooler.ts";

/** A key that works, and how many more calls may follow at once; `wait` is in seconds, 0 for now. */
export interface AdmittedKey {
  id: string;
  workspaceId: string;
  scopes: readonly ApiKeyScope[];
  /** For whom it acts. */
  createdBy: string;
  wait: number;
  remaining: number;
  /** It is the connection of an assistant, which is for /api/mcp alone. */
  assistant: boolean;
}

export interface KeyCalls {
  /** Whose secret this is, with a call of it counted; null for none that works. `network`: where it came from, for the audit log. */
  admit(secret: string, network?: string | null): Promise<AdmittedKey | null>;
  /** Of the database what a key may: functions, each call a transaction of its own, answered as PostgREST answers a person. */
  databaseOf(key: AdmittedKey, network?: string | null): Database;
  /** What nobody acts for: the question with which an assistant gets its key, or ends it (../api/oauth/grants.ts). */
  ask<Row extends object>(question: (sql: Client) => Promise<readonly Row[]>): Promise<readonly Row[]>;
  end(): Promise<void>;
}

/** A function of the database: what it takes by name, and in which shape it answers. */
interface Signature {
  required: string[];
  types: Record<string, string>;
  shape: "rows" | "row" | "values" | "value" | "nothing";
}

type Client = postgres.Sql;

/** Connections, of all keys together; and how many of them the keys of one workspace have at once, however long their questions take. */
const connections = 4;
const ofOneWorkspace = 2;

/**
 * The one place that acts for somebody without a session: a key's calls. Each is one transaction that private.begin_key_call begins; it says whom
 * the transaction acts for and takes the role that people have, so everything that holds for them holds here. The service role stays out of it.
 *
 * A connection is made with the first key and closed when none comes any more; a project has few for all its functions. Behind a transaction
 * pooler nothing is prepared, because the next statement may meet another connection.
 */
export function createKeyCalls({ databaseUrl, rateLimitScale }: Env, connect: Connect = connectLazily): KeyCalls {
  let connecting: Promise<Client> | undefined;
  const signatures = new Map<string, Promise<Signature[]>>();
  const limit = new ConcurrencyLimit({ underWay: ofOneWorkspace });
  const size = scaledSize(apiKeyRate, rateLimitScale);

  const client = (): Promise<Client> => {
    connecting ??= connect(databaseUrl);
    connecting.catch(() => (connecting = undefined));
    return connecting;
  };

  const signaturesOf = (sql: Client, name: string): Promise<Signature[]> => {
    const known = signatures.get(name) ?? readSignatures(sql, name);
    signatures.set(name, known);
    known.catch(() => signatures.delete(name));
    return known;
  };

  const call = async (key: AdmittedKey, network: string | null, name: string, args: Record<string, unknown>): Promise<unknown> => {
    const sql = await client();
    const given = Object.keys(args).filter((argument) => args[argument] !== undefined);
    const fitting = (await signaturesOf(sql, name)).find((one) => fits(one, given));
    if (!fitting) {
      signatures.delete(name); // it may be there in a moment, as another version of the schema says it
      throw Object.assign(new Error(`there is no function ${name}(${given.join(", ")})`), { code: "PGRST202" });
    }
    const text = statementOf(name, given, fitting);
    const asked = () =>
      sql.begin((transaction) =>
        // Sent together; what begins the call is done before the call, and when it is refused nothing follows.
        Promise.all([
          transaction`select private.begin_key_call(${key.id}, ${name}, ${network})`,
          transaction.unsafe<{ answer: string | null }[]>(text, [JSON.stringify(args)], { prepare: true }),
        ]),
      );
    const [, [row]] = await limit.run(key.workspaceId, asked);
    const answer = fitting.shape === "nothing" ? null : (row?.answer ?? null);
    return answer === null ? null : (JSON.parse(answer) as unknown);
  };

  const rpc = async (
    key: AdmittedKey,
    network: string | null,
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<PostgrestSingleResponse<unknown>> => {
    try {
      return {
        data: await call(key, network, name, args),
        error: null,
        status: 200,
        statusText: "OK",
        count: null,
        success: true,
      } as never;
    } catch (thrown) {
      const { error, status } = asAnswered(thrown);
      if (error.code === "42883" || error.code === "42P13") signatures.delete(name); // another version of the schema
      return { data: null, error, status, statusText: "", count: null, success: false } as never;
    }
  };

  const ask: KeyCalls["ask"] = async (question) => {
    try {
      return await question(await client());
    } catch (thrown) {
      const { error, status } = asAnswered(thrown);
      const refusal = fromDatabase(error, status);
      // What goes wrong here is never the caller's mistake, but that he asks too often.
      throw refusal.status >= 500 || refusal.code === "rate_limited" ? refusal : new AppError("internal", { cause: thrown });
    }
  };

  return {
    ask,
    async admit(secret, network = null) {
      const hash = await hashOfApiKey(secret);
      const [row] = await ask(
        (sql) => sql<{ admitted: AdmittedRow }[]>`
          select row_to_json(k) as admitted from private.admit_key(decode(${hash}, 'hex'), ${size}, ${apiKeyRate.seconds}, ${network}) as k`,
      );
      if (!row) return null;
      const { workspace_id: workspaceId, created_by: createdBy, ...key } = row.admitted;
      return { ...key, workspaceId, createdBy };
    },
    end: async () => await (await connecting)?.end(),
    databaseOf: (key, network = null) => {
      const calls = { rpc: (name: string, args?: object) => rpc(key, network, name, args as Record<string, unknown>) };
      // Nothing but functions is called with a key: which ones, private.key_calls says.
      const others = {
        from: () => refuseOthers(),
        get storage() {
          return refuseOthers();
        },
      };
      return Object.defineProperties(calls, Object.getOwnPropertyDescriptors(others)) as unknown as Database;
    },
  };
}

interface AdmittedRow {
  id: string;
  workspace_id: string;
  scopes: ApiKeyScope[];
  created_by: string;
  wait: number;
  remaining: number;
  assistant: boolean;
}

function refuseOthers(): never {
  throw new Error("a key calls functions of the database, and nothing else");
}

export type Connect = (databaseUrl: string) => Promise<Client>;

/** The library is loaded with the first key: a function that is asked by people alone starts without it. */
const connectLazily: Connect = async (databaseUrl) => {
  const { default: postgres } = await import("postgres");
  return postgres(databaseUrl, {
    max: connections,
    idle_timeout: 10,
    connect_timeout: 3,
    backoff: () => 0.1, // a restarted Postgres is found again within two seconds
    prepare: !usesPooler(databaseUrl),
    fetch_types: false, // answers are JSON
    connection: { application_name: "keys" },
    onnotice: () => {},
  });
};

async function readSignatures(sql: Client, name: string): Promise<Signature[]> {
  const rows = await sql<{ names: string[] | null; types: string[]; defaults: number; shape: Signature["shape"] }[]>`
    select to_json(p.proargnames[1:p.pronargs]) as names, p.pronargdefaults as defaults,
      to_json(array(select format_type(t.type, null) from unnest(p.proargtypes) with ordinality as t (type, place) order by t.place)) as types,
      case
        when p.prorettype = 'void'::regtype then 'nothing'
        when r.typtype = 'c' or p.prorettype = 'record'::regtype then case when p.proretset then 'rows' else 'row' end
        else case when p.proretset then 'values' else 'value' end
      end as shape
    from pg_catalog.pg_proc p join pg_catalog.pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.proname = ${name}`;
  return rows.map(({ names, types, defaults, shape }) => {
    const all = names ?? [];
    return {
      required: all.slice(0, all.length - defaults),
      types: Object.fromEntries(all.map((argument, place) => [argument, types[place]!])),
      shape,
    };
  });
}

const fits = ({ required, types }: Signature, given: readonly string[]): boolean =>
  required.every((argument) => given.includes(argument)) && given.every((argument) => Object.hasOwn(types, argument));

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The call with its arguments out of one JSON object, as PostgREST takes them; the answer is JSON, in the database's own words for times and numbers. */
function statementOf(name: string, given: readonly string[], { types, shape }: Signature): string {
  const taken = given.map((argument) => `${quoted(argument)} => a.${quoted(argument)}`).join(", ");
  const columns = given.map((argument) => `${quoted(argument)} ${types[argument]!}`).join(", ");
  const called = `public.${quoted(name)}(${taken})`;
  const from = given.length > 0 ? `json_to_record($1::text::json) as a (${columns})` : "(select $1::text) as a";
  if (shape === "nothing") return `select ${called}::text as answer from ${from}`;
  if (shape === "value") return `select to_json(${called})::text as answer from ${from}`;
  if (shape === "values") return `select coalesce(json_agg(r.v), '[]')::text as answer from ${from}, lateral ${called} as r (v)`;
  if (shape === "row") return `select row_to_json(r)::text as answer from ${from}, lateral ${called} as r`;
  return `select coalesce(json_agg(r), '[]')::text as answer from ${from}, lateral ${called} as r`;
}

/** What was thrown as PostgREST would have answered it; status 0 is no answer at all. */
function asAnswered(thrown: unknown): { error: DatabaseError & { message: string; details: string; hint: string }; status: number } {
  const { name, code, message, detail, hint } = thrown as Partial<Record<"name" | "code" | "message" | "detail" | "hint", string>>;
  const error = { code: code ?? "", message: message ?? String(thrown), details: detail ?? "", hint: hint ?? "" };
  return { error, status: name === "PostgresError" || code === "PGRST202" ? 500 : 0 };
}
