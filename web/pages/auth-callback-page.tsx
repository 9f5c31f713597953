import { useEffect, useRef, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { authEndpoints, signUpRefusals } from "#contract/auth.ts";
import { singleSignOnEndpoints } from "#contract/single-sign-on.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { PageLoading } from "../ui/page-loading.tsx";
import { afterProvider, redirectTo } from "../features/auth/after-sign-in.ts";
import { call, sentenceOf } from "../lib/api-client.ts";
import { useConfig } from "../lib/config.ts";
import { toasts } from "../lib/toasts.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";

/** OAuth callback: exchanges the code and returns to where sign-in started. Identity providers also return here after signing out. */
export function Component() {
  const [query] = useSearchParams();
  return query.size === 0 ? <Navigate to={paths.auth()} replace /> : <Callback query={query} />;
}

function Callback({ query }: { query: URLSearchParams }) {
  const problem = useCodeExchange(query);
  const mode = useConfig()?.signUp?.mode ?? "open";
  if (problem === undefined) return <PageLoading />;
  return (
    <NarrowPage
      title="You're not signed in"
      text={
        <span role="alert">{isRefusedAccount(query) && mode !== "open" ? errorCatalogue[signUpRefusals[mode]].sentence : problem}</span>
      }
    >
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
    </NarrowPage>
  );
}

/** True if GoTrue found no account and the database rejected a new one. */
const isRefusedAccount = (query: URLSearchParams): boolean => query.get("error_description") === "Database error saving new user";

/** Exchanges the code once; returns the error message. Failures are logged too. Source: specification, sections 7 and 8. */
function useCodeExchange(query: URLSearchParams): string | undefined {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const spent = useRef(false);
  const isSingleSignOn = query.get("state") !== null; // the auth service keeps its own
  const code = isSingleSignOn ? query.get("state") : query.get("error") === null ? query.get("code") : null;

  useEffect(() => {
    if (spent.current) return;
    spent.current = true;
    async function enter(code: string) {
      const signedIn = isSingleSignOn
        ? await call(singleSignOnEndpoints.finish, { body: { query: query.toString() } })
        : { ...(await call(authEndpoints.callback, { body: { code } })), next: query.get("next"), test: undefined };
      const { workspaceId, second_factor, next, test } = signedIn;
      if (test && workspaceId !== null) {
        if (test.problem === null) toasts.success("The test sign-in works");
        else toasts.error("The test sign-in failed", test.problem);
        return void navigate(paths.settings(workspaceId, "security"), { replace: true });
      }
      await clearCachedReads();
      const path = afterProvider(next, workspaceId, location.origin);
      await navigate(second_factor ? paths.secondStep(redirectTo(path)) : path, { replace: true });
    }
    if (!code) return console.error("No code from the provider.", query.get("error_description") ?? query.get("error"));
    enter(code).catch((error: unknown) => {
      console.error("Provider sign-in failed.", error);
      setProblem(sentenceOf(error, "Sign in failed"));
    });
  }, [query, code, isSingleSignOn, navigate]);
  return code ? problem : "Sign-in was cancelled or failed. Try again.";
}
