import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import type { AppError } from "../../_shared/errors.ts";

export function describeProblem(error: AppError): string {
  const { fields, conflict, scope, retryAfter } = error.details;
  if (scope !== undefined) return scopeProblem(scope as ApiKeyScope);
  const lines = Object.entries(fields ?? {}).map(([field, sentence]) => `- ${field}: ${sentence}`);
  if (conflict !== undefined) return stale(conflict);
  const sentence = error.code === "validation_failed" ? "Nothing was done because of these arguments:" : error.message;
  const advice = error.code === "rate_limited" ? `Try again in ${Math.ceil(retryAfter ?? 1)} seconds.` : adviceOn[error.code];
  return [lines.length === 0 && error.code === "validation_failed" ? error.message : sentence, ...lines, advice]
    .filter((line) => line !== undefined)
    .join("\n");
}

const adviceOn: Partial<Record<AppError["code"], string>> = {
  not_found: "Call list_posts to find existing posts.",
  forbidden: "The key's owner isn't allowed to do this, so neither are you. Tell them.",
  review_required: "Call request_review: a team member approves it, and then it's published.",
  archived_post_locked: "A team member has to restore it first.",
  published_post_locked: "This post is public: call propose_change.",
  unavailable: "Nothing was done. Try again in a moment.",
};

const stale = ({ version, updated_at }: NonNullable<AppError["details"]["conflict"]>): string =>
  `Nothing was done: someone changed this post since you read it. Its version is now ${version}, saved at ${updated_at}.\n` +
  `Read it again with get_post, keep their changes, and send yours with expected_version ${version}.`;

export const scopeProblem = (scope: ApiKeyScope): string =>
  `Nothing was done: this key lacks the scope ${scope}. A person can reconnect you with it, or create a key that has it, in the workspace's settings.`;

export const internalProblem = (requestId: string): string =>
  `Something went wrong on our side. We don't know if the change was made. Read before you try again. For support: ${requestId}`;
