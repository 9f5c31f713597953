/**
 * Query times at 1,000 workspaces × 500 posts (and one of 50,000), against a plain query and against a hundredth of the data. Two stacks are
 * measured alternately, so load slows them alike. Run: node tests/bench/database.ts. Exits with 1 if a limit is missed, a time grows, or a query
 * scans all posts.
 */
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { huge, load, memberOfOne } from "./database/load.ts";
import { plainTimer, scans, timer } from "./database/measure.ts";
import { type Question, questions } from "./database/questions.ts";
import { inPairs, median, Report } from "./report.ts";

const growthLimit = 1.3;
const noiseShare = 0.2; // Noise: differences below this share of the short plain query's time are ignored.
const runs = 120;
/** The limit of the session check per request, in milliseconds. Source: decision 4. */
const sessionLimitMs = 0.1;
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
  for (const question of questions) {
    const used = await scans(full, question, notices);
    await judge(question, used);
    console.log(`${question.name}\n    ${used.join(" · ")}`);
  }
  await judgeSession();
  report.end();
} finally {
  await Promise.all([small.end(), full.end()]);
  await Promise.all(stacks.map((stack) => stack.stop()));
}

async function judge(question: Question, used: string[]) {
  const [before, now, plain] = [timer(small, question), timer(full, question), plainTimer(full, question)];
  for (let run = 0; run < runs; run += 1) {
    if (question.compared) await before.run();
    await now.run();
    await plain.run();
  }
  report.compare(question.name, inPairs(now.times, plain.times, "ms", `${question.plain} plain query`), "at most", question.limit);
  if (question.compared) {
    // Growth below the noise doesn't count.
    const noise = (noiseShare * median(plain.times)) / (question.plain === "short" ? 1 : 8);
    const less = now.times.map((time) => Math.max(0, time - noise));
    const pair = {
      ...inPairs(now.times, before.times, "ms", "at a hundredth of the data"),
      ratio: inPairs(less, before.times, "", "").ratio,
    };
    report.compare(`${question.name}: growth`, pair, "at most", growthLimit);
  }
  if (used.includes("Seq Scan posts")) report.judge(`${question.name}: scans of all posts`, 1, "at most", 0, "");
}

async function judgeSession() {
  const times = 100;
  const asking = (who: string) => timer(full, { person: memberOfOne, statement: `select count(${who}) from generate_series(1, ${times})` });
  const [looked, read] = [asking("private.my_id()"), asking("auth.uid()")];
  for (let run = 0; run < runs; run += 1) {
    await looked.run();
    await read.run();
  }
  const added = median(looked.times.map((time, turn) => (time - read.times[turn]!) / times));
  const each = ({ times: all }: { times: number[] }): string => `${((median(all) / times) * 1_000).toFixed(1)} µs`;
  report.judge(
    "the look at the session, each time rights are decided",
    added,
    "at most",
    sessionLimitMs,
    "ms",
    `${each(looked)}, the token alone ${each(read)}`,
  );
}
