import { isNewerVersion } from "#contract/rules/newer-version.ts";

export interface ReleaseState {
  branch: string;
  changes: string[];
  tags: string[];
  current: string;
  changelog: string;
  head: string;
  tested?: string | null;
}

export function releaseProblems(next: string, { branch, changes, tags, current, changelog, head, tested }: ReleaseState): string[] {
  if (!isVersion(next)) return [`"${next}" isn't a version such as 1.4.2.`];
  return [
    ...(branch === "main" ? [] : [`Releases are made from main, not from ${branch || "a detached commit"}.`]),
    ...(changes.length === 0 ? [] : [`Commit or remove what has changed:\n${changes.join("\n")}`]),
    ...(isNewerVersion(next, current) ? [] : [`${next} isn't newer than ${current}.`]),
    ...(tags.includes(`v${next}`) ? [`The tag v${next} exists.`] : []),
    ...(hasSection(changelog, next)
      ? []
      : [`CHANGELOG.md has no section "## [Tidings ${next}]". docs/development.md says how to add one.`]),
    ...(tested === undefined || tested === head ? [] : [`--tested must name the last commit, ${head.slice(0, 12)}.`]),
  ];
}

const isVersion = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text);

const hasSection = (changelog: string, version: string): boolean =>
  changelog.split("\n").some((line) => [":", "]"].some((end) => line.startsWith(`## [Tidings ${version}${end}`)));
