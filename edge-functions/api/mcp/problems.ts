import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import type { AppError } from "../../_shared/errors.ts";

/** A refusal as a model reads it: the sentence, what is wrong with which argument, and what to do about it. */
export function describeProblem(error: AppError): string {
  const { fields, conflict, scope, retryAfter } = error.details;
  if (scope !== undefined) return scopeProblem(scope as ApiKeyScope);
  const lines = Object.entries(fields ?? {}).map(([field, sentence]) => `- ${field}: ${sentence}`);
  if (conflict !== undefined) return stale(conflict);
  const sentence = error.code === "validation_failed" ? "Nothing was done, because of these arguments:" : error.message;
  const advice = error.code === "rate_limited" ? `Try again in ${Math.ceil(retryAfter ?? 1)} seconds.` : adviceOn[error.code];
  return [lines.length === 0 && error.code === "validation_failed" ? error.message : sentence, ...lines, advice]
    .filter((line) => line !== undefined)
    .join("\n");
}

const adviceOn: Partial<Record<AppError["code"], string>> = {
  not_found: "Call list_posts to see which posts there are.",
  forbidden: "The person whose key this is may not do it, so you may not either. Tell them.",
  review_required: "Call request_review: a person of the team approves it, and it is published then.",
  archived_post_locked: "A person of the team has to bring it back first.",
  published_post_locked: "Readers see this post already: call propose_change.",
  unavailable: "Nothing was done. Try again in a moment.",
};

const stale = ({ version, updated_at }: NonNullable<AppError["details"]["conflict"]>): string =>
  `Nothing was done: somebody has changed this post since you read it. Its version is ${version} now, saved at ${updated_at}.\n` +
  `Read it again with get_post, keep what was changed, and send your change with expected_version ${version}.`;

export const scopeProblem = (scope: ApiKeyScope): string =>
  `Nothing was done: this key has not the scope ${scope}. A person can connect you anew with it, or make a key that has it, in the workspace's settings.`;

export const internalProblem = (requestId: string): string =>
  `Something went wrong on our side, and it may not have been done. Read before you try again. For whoever looks into it: ${requestId}`;
