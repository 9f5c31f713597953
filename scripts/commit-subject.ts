const form = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9 ,/.-]+\))?!?: (.+)$/;
const isRelease = /^chore\(release\): \d/;
/** Past, gerund, third person and plural aren't imperative. */
const isNotImperative = /^(?![a-z]*(?:bed|eed|bring|string|less)\b)[a-z]+(?:ed|ing|[^aisu]s)\b/i;

export function subjectProblem(subject: string): string | null {
  const length = [...subject].length;
  if (length > 72) return `it has ${length} characters, and at most 72 are allowed`;
  const [, description] = form.exec(subject) ?? [];
  if (description === undefined) return "it isn't of the form type(scope): imperative";
  if (isRelease.test(subject)) return null;
  if (description.endsWith(".")) return "it ends with a full stop";
  if (!/^[a-z]/.test(description) || isNotImperative.test(description)) return `"${description.split(" ")[0]}" isn't an imperative`;
  return null;
}
