import { useState } from "react";
import { type AssistantScope, oauthEndpoints } from "#contract/oauth.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { forgetRequest } from "../../lib/kept-request.ts";
import { leadsOut } from "./leads-out.ts";

type Answer = { allow: { workspaceId: string; scopes: AssistantScope[] } } | "deny";

/** Says yes or no to what an assistant asks for, and takes the browser back to it. `sent` is where. */
export function useAnswerRequest(query: string) {
  const [busy, setBusy] = useState<"allow" | "deny">();
  const [sent, setSent] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function answer(given: Answer) {
    if (busy) return;
    setBusy(given === "deny" ? "deny" : "allow");
    setProblem(undefined);
    try {
      const { location } =
        given === "deny"
          ? await call(oauthEndpoints.deny, { body: { request: query } })
          : await call(oauthEndpoints.approve, {
              body: { request: query, workspace_id: given.allow.workspaceId, scopes: given.allow.scopes },
            });
      if (!leadsOut(location)) throw new Error("The assistant cannot be reached at the address that it names.");
      forgetRequest(query);
      setSent(location);
      goTo(location);
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(undefined);
    }
  }
  return { busy, sent, problem, answer };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.sentence;
  return error instanceof Error ? error.message : "Please try again later.";
}
