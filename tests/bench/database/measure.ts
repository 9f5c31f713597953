import type postgres from "postgres";
import { plainQueries, type Question } from "./questions.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}

class Timer {
  readonly #ask: () => Promise<number>;
  readonly #times: number[] = [];

  constructor(ask: () => Promise<number>) {
    this.#ask = ask;
  }

  async run(): Promise<void> {
    this.#times.push(await this.#ask());
  }

  get times(): number[] {
    return this.#times.slice(warmUps);
  }
}

const warmUps = 20;

type Asked = Pick<Question, "person" | "statement" | "writes">;

export const timer = (sql: postgres.Sql, question: Asked): Timer =>
  new Timer(async () => {
    let took = Number.NaN;
    await asAsked(sql, question, async (tx) => {
      took = await executionTime(tx, question.statement);
    });
    return took;
  });

export const plainTimer = (sql: postgres.Sql, { plain }: Question): Timer => new Timer(() => executionTime(sql, plainQueries[plain]));

async function executionTime(sql: postgres.Sql | postgres.TransactionSql, statement: string): Promise<number> {
  const [row] = await sql.unsafe(`explain (analyze, timing off, format json) ${statement}`);
  return row!["QUERY PLAN"][0]["Execution Time"] as number;
}

export async function scans(sql: postgres.Sql, question: Question, notices: string[]): Promise<string[]> {
  notices.length = 0;
  await asAsked(
    sql,
    question,
    async (tx) => {
      await tx.unsafe(question.statement);
    },
    true,
  );
  const found = notices.flatMap((text) => {
    const json = text.slice(text.indexOf("{"));
    return nodes((JSON.parse(json) as { Plan: PlanNode }).Plan);
  });
  return [
    ...new Set(
      found
        .filter((node) => /Scan/.test(node["Node Type"]) && (node["Index Name"] ?? node["Relation Name"]))
        .map((node) => `${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"]}`),
    ),
  ];
}

const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

async function asAsked(
  sql: postgres.Sql,
  { person, writes }: Asked,
  work: (tx: postgres.TransactionSql) => Promise<void>,
  explain = false,
): Promise<void> {
  const undo = new Error("undone");
  await sql
    .begin(async (tx) => {
      if (explain) {
        await tx`load 'auto_explain'`;
        await tx`select set_config('auto_explain.log_min_duration', '0', true), set_config('auto_explain.log_nested_statements', 'on', true),
          set_config('auto_explain.log_format', 'json', true), set_config('auto_explain.log_level', 'notice', true)`;
      }
      const role = person ? "authenticated" : "anon";
      await tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(person ? { sub: person, session_id: person, role } : { role })}, true)`;
      await work(tx);
      if (writes) throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}
