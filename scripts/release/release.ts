import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { version as current } from "#contract/version.ts";
import { releaseProblems } from "./problems.ts";
import { versionFiles, withVersion } from "./version-files.ts";

/**
 * `npm run release -- 1.4.2` tests, writes the version into every file, makes the release's files, commits and tags. `--tested <commit>`:
 * `npm run test:release` has passed on the last commit. See docs/development.md.
 */
const root = path.resolve(import.meta.dirname, "../..");
const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { cwd: root, stdio: "inherit" });
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

function commitOf(name: string): string | null {
  try {
    return git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  } catch {
    return null;
  }
}

function writeVersion(next: string): void {
  for (const [name, patterns] of Object.entries(versionFiles)) {
    const file = path.join(root, name);
    writeFileSync(file, withVersion(readFileSync(file, "utf8"), patterns, current, next));
  }
}

function release(next: string, tested: string | undefined): void {
  const problems = releaseProblems(next, {
    branch: git("branch", "--show-current"),
    changes: linesOf(git("status", "--porcelain")),
    tags: linesOf(git("tag")),
    current,
    changelog: readFileSync(path.join(root, "CHANGELOG.md"), "utf8"),
    head: git("rev-parse", "HEAD"),
    tested: tested && commitOf(tested),
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (!tested) run("npm", "run", "test:release");
  try {
    writeVersion(next);
    run("npm", "run", "release:files");
    run("git", "commit", "--quiet", "--all", "--message", `chore(release): ${next}`);
  } catch (error) {
    git("reset", "--quiet", "--hard");
    throw error;
  }
  run("git", "tag", "--annotate", `v${next}`, "--message", `Tidings ${next}`);
  console.log(`Tidings ${next} is committed and tagged. Publish it: git push origin main v${next}`);
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { tested: { type: "string" } } });
try {
  if (positionals.length !== 1) throw new Error("Please give a version: npm run release -- 1.4.2");
  release(positionals[0]!, values.tested);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
