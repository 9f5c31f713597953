import type postgres from "postgres";
import type { Question } from "./questions.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}

/** Asks a question as the API does, in a transaction with role and claims, and keeps Postgres' own execution times (milliseconds). The first 20 runs warm up. */
export function timer(sql: postgres.Sql, question: Question): { run(): Promise<void>; median(): number } {
  const times: number[] = [];
  return {
    run: () =>
      asAsked(sql, question, async (tx) => {
        const [row] = await tx.unsafe(`explain (analyze, timing off, format json) ${question.statement}`);
        times.push(row!["QUERY PLAN"][0]["Execution Time"] as number);
      }),
    median: () => times.slice(20).sort((a, b) => a - b)[(times.length - 20) >> 1] ?? 0,
  };
}

/** The scans of all statements behind a question, also those inside its functions, as "Index Scan posts_recent". */
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
  { person, writes }: Question,
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
