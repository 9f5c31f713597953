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

/** `wait`: seconds until a call is allowed, 0 for now. */
export interface AdmittedKey {
  id: string;
  workspaceId: string;
  scopes: readonly ApiKeyScope[];
  createdBy: string;
  wait: number;
  remaining: number;
  /** true: an assistant's connection, for /api/mcp only. */
  assistant: boolean;
}

export interface KeyCalls {
  /** Authenticates and counts a call; null if invalid. `network` for the audit log. */
  admit(secret: string, network?: string | null): Promise<AdmittedKey | null>;
  databaseOf(key: AdmittedKey, network?: string | null): Database;
  /** For assistants' tokens, which have no user (../api/oauth/grants.ts). */
  ask<Row extends object>(question: (sql: Client) => Promise<readonly Row[]>): Promise<readonly Row[]>;
  end(): Promise<void>;
}

interface Signature {
  required: string[];
  types: Record<string, string>;
  shape: "rows" | "row" | "values" | "value" | "nothing";
}

type Client = postgres.Sql;

const connections = 4;
const ofOneWorkspace = 2;

/**
 * Calls with API keys. Each is a transaction started by private.begin_key_call, which sets the user and the role `authenticated`, so RLS
 * applies; no service role. Connects lazily and disconnects when idle. No prepared statements behind a transaction pooler.
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
    const cached = signatures.get(name) ?? readSignatures(sql, name);
    signatures.set(name, cached);
    cached.catch(() => signatures.delete(name));
    return cached;
  };

  const call = async (key: AdmittedKey, network: string | null, name: string, args: Record<string, unknown>): Promise<unknown> => {
    const sql = await client();
    const argumentNames = Object.keys(args).filter((argument) => args[argument] !== undefined);
    const signature = (await signaturesOf(sql, name)).find((candidate) => fits(candidate, argumentNames));
    if (!signature) {
      signatures.delete(name);
      throw Object.assign(new Error(`the database has no function ${name}(${argumentNames.join(", ")})`), { code: "PGRST202" });
    }
    const text = statementOf(name, argumentNames, signature);
    const query = () =>
      sql.begin((transaction) =>
        // Pipelined; if begin_key_call fails, the rest isn't executed.
        Promise.all([
          transaction`select private.begin_key_call(${key.id}, ${name}, ${network})`,
          transaction.unsafe<{ answer: string | null }[]>(text, [JSON.stringify(args)], { prepare: true }),
        ]),
      );
    const [, [row]] = await limit.run(key.workspaceId, query);
    const answer = signature.shape === "nothing" ? null : (row?.answer ?? null);
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
      if (error.code === "42883" || error.code === "42P13") signatures.delete(name);
      return { data: null, error, status, statusText: "", count: null, success: false } as never;
    }
  };

  const ask: KeyCalls["ask"] = async (question) => {
    try {
      return await question(await client());
    } catch (thrown) {
      const { error, status } = asAnswered(thrown);
      const refusal = fromDatabase(error, status);
      // Errors here are internal, except the rate limit.
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
  throw new Error("a key can call database functions only");
}

export type Connect = (databaseUrl: string) => Promise<Client>;

/** Lazy import: only API keys need the library. */
const connectLazily: Connect = async (databaseUrl) => {
  const { default: postgres } = await import("postgres");
  return postgres(databaseUrl, {
    max: connections,
    idle_timeout: 10,
    connect_timeout: 3,
    backoff: () => 0.1, // reconnects to a restarted Postgres within two seconds
    prepare: !usesPooler(databaseUrl),
    fetch_types: false,
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

const fits = ({ required, types }: Signature, argumentNames: readonly string[]): boolean =>
  required.every((argument) => argumentNames.includes(argument)) && argumentNames.every((argument) => Object.hasOwn(types, argument));

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Passes arguments as one JSON object and returns JSON, like PostgREST. */
function statementOf(name: string, argumentNames: readonly string[], { types, shape }: Signature): string {
  const parameters = argumentNames.map((argument) => `${quoted(argument)} => a.${quoted(argument)}`).join(", ");
  const columns = argumentNames.map((argument) => `${quoted(argument)} ${types[argument]!}`).join(", ");
  const called = `public.${quoted(name)}(${parameters})`;
  const from = argumentNames.length > 0 ? `json_to_record($1::text::json) as a (${columns})` : "(select $1::text) as a";
  if (shape === "nothing") return `select ${called}::text as answer from ${from}`;
  if (shape === "value") return `select to_json(${called})::text as answer from ${from}`;
  if (shape === "values") return `select coalesce(json_agg(r.v), '[]')::text as answer from ${from}, lateral ${called} as r (v)`;
  if (shape === "row") return `select row_to_json(r)::text as answer from ${from}, lateral ${called} as r`;
  return `select coalesce(json_agg(r), '[]')::text as answer from ${from}, lateral ${called} as r`;
}

/** Maps an exception to PostgREST's error; status 0: no response. */
function asAnswered(thrown: unknown): { error: DatabaseError & { message: string; details: string; hint: string }; status: number } {
  const { name, code, message, detail, hint } = thrown as Partial<Record<"name" | "code" | "message" | "detail" | "hint", string>>;
  const error = { code: code ?? "", message: message ?? String(thrown), details: detail ?? "", hint: hint ?? "" };
  return { error, status: name === "PostgresError" || code === "PGRST202" ? 500 : 0 };
}
