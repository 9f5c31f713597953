import { useState } from "react";
import { type AssistantScope, oauthEndpoints } from "#contract/oauth.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { clearRequest } from "../../lib/stored-request.ts";
import { isSafeRedirect } from "./redirect-target.ts";

type Decision = { allow: { workspaceId: string; scopes: AssistantScope[] } } | "deny";

/** Approves or denies a request, then redirects to the assistant. `sent`: redirect URL. */
export function useAnswerRequest(query: string) {
  const [busy, setBusy] = useState<"allow" | "deny">();
  const [sent, setSent] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function decide(decision: Decision) {
    if (busy) return;
    setBusy(decision === "deny" ? "deny" : "allow");
    setProblem(undefined);
    try {
      const { location } =
        decision === "deny"
          ? await call(oauthEndpoints.deny, { body: { request: query } })
          : await call(oauthEndpoints.approve, {
              body: { request: query, workspace_id: decision.allow.workspaceId, scopes: decision.allow.scopes },
            });
      if (!isSafeRedirect(location)) throw new Error("We can't open the assistant's redirect URL.");
      clearRequest(query);
      setSent(location);
      goTo(location);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(undefined);
    }
  }
  return { busy, sent, problem, answer: decide };
}

function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.sentence;
  return error instanceof Error ? error.message : "Please try again later.";
}
