/**
 * How long the database takes for what the product asks, at 1,000 workspaces × 500 posts (and one of 50,000), against a
 * hundredth of that. Two stacks run side by side and are asked in turn, so that a busy machine slows both alike.
 * Run: node tests/bench/database.ts. Ends with 1 when a limit is missed, a time grows, or anything scans all posts.
 */
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { huge, load } from "./database/load.ts";
import { scans, timer } from "./database/measure.ts";
import { type Question, questions } from "./database/questions.ts";
import { Report } from "./report.ts";

const growthLimit = 1.3;
const noiseMs = 0.05; // a difference below this says nothing
const runs = 200;
const report = new Report();

const stacks = await Promise.all([startStack(), startStack()]);
const notices: string[] = [];
const [small, full] = stacks.map(({ dbUrl }) => postgres(dbUrl, { max: 1, onnotice: ({ message }) => notices.push(message ?? "") })) as [
  postgres.Sql,
  postgres.Sql,
];
try {
  await load(small, { from: 1, to: 10, posts: 500 });
  await load(full, { from: 1, to: 1_000, posts: 500 }, { from: huge, to: huge, posts: 50_000 });
  const table = [];
  for (const question of questions) {
    const used = await scans(full, question, notices);
    table.push(await judge(question, used));
    console.log(`${question.name}\n    ${used.join(" · ")}`);
  }
  console.table(table);
  report.end();
} finally {
  await Promise.all([small.end(), full.end()]);
  await Promise.all(stacks.map((stack) => stack.stop()));
}

async function judge(question: Question, used: string[]) {
  const [before, now] = [timer(small, question), timer(full, question)];
  for (let run = 0; run < runs; run += 1) {
    if (question.compared) await before.run();
    await now.run();
  }
  const [base, time] = [before.median(), now.median()];
  const ratio = question.compared ? time / base : null;
  report.judge(question.name, time, "at most", question.limit, "ms");
  // what differs by less than noise counts as not having grown
  if (ratio !== null)
    report.judge(`${question.name}: growth`, time - base > noiseMs ? ratio : Math.min(1, ratio), "at most", growthLimit, "×");
  if (used.includes("Seq Scan posts")) report.judge(`${question.name}: scans of all posts`, 1, "at most", 0, "");
  const faults = [
    time > question.limit && "SLOW",
    ratio !== null && ratio > growthLimit && time - base > noiseMs && "GROWS",
    used.includes("Seq Scan posts") && "SCANS",
  ].filter(Boolean);
  return {
    question: question.name,
    "ms at 1/100": question.compared ? base.toFixed(3) : "",
    ms: time.toFixed(3),
    "limit ms": question.limit,
    ratio: ratio?.toFixed(2) ?? "",
    verdict: faults.join(" ") || "ok",
  };
}
