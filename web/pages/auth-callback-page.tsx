import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { authEndpoints, signUpRefusals } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { PageLoading } from "../components/page-loading.tsx";
import { afterProvider } from "../features/auth/after-sign-in.ts";
import { ApiError, call } from "../lib/api-client.ts";
import { useConfig } from "../lib/config.ts";
import { forgetReads } from "../lib/forget-reads.ts";

/** Where an identity provider sends the browser back to: spends its code and goes on to where signing in began. */
export function Component() {
  const [query] = useSearchParams();
  const problem = useSpentCode(query);
  const mode = useConfig()?.signUp?.mode ?? "open";
  if (problem === undefined) return <PageLoading />;
  return (
    <NarrowPage
      title="You are not signed in"
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

/** True if the auth service (GoTrue) has found no account, and the database let it make none. */
const isRefusedAccount = (query: URLSearchParams): boolean => query.get("error_description") === "Database error saving new user";

/** Returns the sentence to show when it did not work. Failures are logged too. Source: specification, sections 7 and 8. */
function useSpentCode(query: URLSearchParams): string | undefined {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const spent = useRef(false);
  const code = query.get("error") === null ? query.get("code") : null;

  useEffect(() => {
    if (spent.current) return;
    spent.current = true;
    async function enter(code: string) {
      const { workspaceId } = await call(authEndpoints.callback, { body: { code } });
      await forgetReads();
      await navigate(afterProvider(query.get("next"), workspaceId, location.origin), { replace: true });
    }
    if (!code) return console.error("The provider sent no code.", query.get("error_description") ?? query.get("error"));
    enter(code).catch((error: unknown) => {
      console.error("Signing in with the provider did not work.", error);
      setProblem(error instanceof ApiError ? error.message : "Sign in failed");
    });
  }, [query, code, navigate]);
  return code ? problem : "Signing in was cancelled or did not work. Try again.";
}
