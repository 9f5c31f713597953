import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepConsoleIn, Logs } from "./logs.ts";

let dataDir: string;
beforeEach(() => (dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-logs-"))));
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

const contentOf = (name: string) => {
  const file = path.join(dataDir, "logs", name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
};

async function writeAsOneStart(text: string): Promise<void> {
  const logs = new Logs(dataDir);
  logs.of("supervisor").write(text);
  logs.close();
  await expect.poll(() => contentOf("supervisor.log")).toMatch(new RegExp(`${text.slice(-20).trim()}\n$`));
}

test("logs from before a crash stay, in order", async () => {
  for (const start of ["first", "second", "third"]) await writeAsOneStart(`the ${start} crash\n`);
  expect(contentOf("supervisor.log")).toBe("the first crash\nthe second crash\nthe third crash\n");
  expect(contentOf("supervisor.1.log")).toBeNull();
});

test("a large log file is rotated", async () => {
  const large = "x".repeat(9_999_000);
  for (const start of [1, 2]) await writeAsOneStart(`${large} large ${start}\n`);
  await writeAsOneStart(`${"y".repeat(5_000)} next\n`);
  expect(contentOf("supervisor.log")).toMatch(/^y+ next\n$/);
  expect(contentOf("supervisor.1.log")?.replaceAll(large, "…")).toBe("… large 1\n… large 2\n");
});

test("log files are readable by the owner only", async () => {
  await writeAsOneStart("a line\n");
  expect(fs.statSync(path.join(dataDir, "logs/supervisor.log")).mode & 0o777).toBe(0o600);
});

test("an error is logged with message, code and causes, without Postgres' detail", () => {
  const row = { detail: "Failing row contains (ada@example.com).", where: "ada@example.com", code: "23514" };
  const refused = Object.assign(new Error("new row violates a check constraint"), row);
  const lines: string[] = [];
  const { log, info, warn, error, debug } = console;
  keepConsoleIn({ write: (text) => lines.push(text) });
  try {
    console.error("jobs:", refused, 7);
    console.error(new Error("not done", { cause: refused }));
    console.error(new AggregateError([refused], "several"));
    console.error({ ...row, message: "as PostgREST words it" });
  } finally {
    Object.assign(console, { log, info, warn, error, debug });
  }
  expect(lines.join("")).not.toMatch(/ada@example.com|Failing row/);
  expect(lines[0]).toMatch(/^\S+ jobs: Error: new row violates a check constraint\n {4}at [^]* \[23514\] 7\n$/);
  expect(lines[1]).toMatch(/Error: not done\n[^]*caused by Error: new row violates[^]*\[23514\]/);
  expect(lines[2]).toMatch(/several\n[^]*caused by Error: new row violates[^]*\[23514\]/);
  expect(lines[3]).toMatch(/Error: as PostgREST words it \[23514\]\n$/);
});
