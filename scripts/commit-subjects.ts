import { spawnSync } from "node:child_process";
import { subjectProblem } from "./commit-subject.ts";

/** `npm run check:commits`: subjects since the last release's tag, else since this commit. */
const firstChecked = "85149d7f7d3bfaa4fc85589faf622f7c1b71c135";

const git = (...args: string[]): string | null => {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
};

const base = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*") ?? firstChecked;
const subjects =
  git("merge-base", "--is-ancestor", base, "HEAD") === null ? null : git("log", "--no-merges", "--format=%s", `${base}..HEAD`)?.split("\n");

if (!subjects) console.log(`Skipped: the history since ${base} isn't in this clone.`);
for (const subject of subjects?.filter(Boolean) ?? []) {
  const problem = subjectProblem(subject);
  if (problem === null) continue;
  console.error(`${subject}\n  ${problem}`);
  process.exitCode = 1;
}
