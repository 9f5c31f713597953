import { Suspense, useEffect, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { postLoginRedirectDelayMs } from "../lib/timings.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useFocusOnNavigation } from "../ui/page-title.tsx";
import { afterSignIn } from "../features/auth/after-sign-in.ts";
import { BotCheckWidget } from "../features/auth/bot-check-widget.tsx";
import { SignUpForm, type SignUpInput } from "../features/auth/sign-up-form.tsx";
import { SignUpRule } from "../features/auth/sign-up-rule.tsx";
import { MarketingPanel } from "../features/auth/marketing-panel.tsx";
import { AlternativeSignIn } from "../features/auth/other-ways.tsx";
import { SignInForm, type SignInAnswer } from "../features/auth/sign-in-form.tsx";
import { useBotCheck } from "../features/auth/use-bot-check.ts";
import { askForConsent } from "../features/consent/consent-popup.ts";
import { classNames } from "../lib/class-names.ts";
import { useConfig } from "../lib/config.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Text } from "../ui/layout.tsx";
import css from "./pages.module.css";

/** Only sign-up needs it: preloaded by the time its form is submitted. */
const loadCheckEmail = () => import("../features/auth/check-email.tsx");
const CheckEmail = lazyPart(loadCheckEmail, "CheckEmail", { inPlace: true });

const titles = { signin: "Sign in to your account", signup: "Sign Up", confirmation: "Check Your Email", stranded: "You're signed in" };

/** History state: the address that signed up, so that Back, Forward and reload keep it. */
interface PageState {
  email?: string;
  signedUp?: boolean;
}

/** Sign in, sign up, confirmation. The query's `type` selects the form, so Back and Forward switch between them. */
export function Component() {
  const [query] = useSearchParams();
  const { email, signedUp } = (useLocation().state ?? {}) as PageState;
  const navigate = useNavigate();
  const { leaving, stranded, leave } = useLeave(query);
  const type = query.get("type") === "signup" ? "signup" : "signin";
  const mode = stranded ? "stranded" : signedUp ? "confirmation" : type;
  const isForAssistant = query.get("redirectTo")?.startsWith(paths.authorize("")) ?? false;
  const to = (other: "signup" | "signin") => `?${new URLSearchParams({ ...Object.fromEntries(query), type: other })}`;
  const [typed, setTyped] = useState<SignUpInput>(); // not in the history state: it includes a password
  function confirm(values: SignUpInput, { confirmed }: { confirmed?: true }) {
    if (confirmed) return leave({ workspaceId: null });
    setTyped(values);
    void navigate(to("signup"), { state: { email: values.email, signedUp: true } satisfies PageState });
  }
  const correct = () => void navigate(to("signup"), { state: { email } satisfies PageState });
  const heading = useFocusOnNavigation(mode);
  const botCheck = useBotCheck();
  const config = useConfig();
  const token = query.get("token") ?? undefined;
  const canSignUp = token !== undefined || config?.signUp?.is_offered !== false;
  usePageTitle(titles[mode]);
  useEffect(() => {
    if (mode === "signup") loadCheckEmail().catch(() => undefined);
  }, [mode]);

  return (
    <div className={classNames(css.auth, leaving && css.leaving)}>
      <main className={css.authMain}>
        <Logo />
        <h1 ref={heading} tabIndex={-1}>
          {titles[mode]}
        </h1>
        {isForAssistant && (mode === "signin" || mode === "signup") && (
          <Text tone="muted" className={css.why}>
            An assistant wants to connect to Tidings. Sign in to review its request.
          </Text>
        )}
        <BotCheckWidget check={botCheck} />
        {mode === "signin" && (
          <>
            <SignInForm email={email} botCheck={botCheck} onSignedIn={leave} />
            <AlternativeSignIn config={config} to={canSignUp ? to("signup") : null} singleSignOn={`${paths.singleSignOn()}?${query}`}>
              Not a member? Sign up here.
            </AlternativeSignIn>
          </>
        )}
        {mode === "signup" && (
          <>
            {config?.signUp && !token && <SignUpRule offer={config.signUp} />}
            {canSignUp && (
              <SignUpForm
                token={token}
                initialInput={typed ?? (email === undefined ? undefined : { email })}
                botCheck={botCheck}
                onSignedUp={confirm}
              />
            )}
            <AlternativeSignIn config={config} to={to("signin")}>
              Already have an account? Sign in
            </AlternativeSignIn>
          </>
        )}
        {mode === "confirmation" && (
          <Suspense>
            <CheckEmail email={email ?? ""} signInTo={to("signin")} botCheck={botCheck} onWrongAddress={correct} />
          </Suspense>
        )}
        {mode === "stranded" && (
          <ButtonLink to={paths.workspaces} variant="primary">
            Go to Workspaces
          </ButtonLink>
        )}
        <Text center className={css.cookies}>
          <Button variant="quiet" size="small" style={{ color: "var(--muted)" }} onClick={askForConsent}>
            Cookie settings
          </Button>
        </Text>
      </main>
      <MarketingPanel />
    </div>
  );
}

/** Fades out, then navigates; `stranded` if the return URL isn't part of this site. */
function useLeave(query: URLSearchParams) {
  const navigate = useNavigate();
  const [target, setTarget] = useState<string>();
  const [stranded, setStranded] = useState(false);

  useEffect(() => {
    if (target === undefined) return;
    const timer = setTimeout(() => void navigate(target, { replace: true }), postLoginRedirectDelayMs);
    return () => clearTimeout(timer);
  }, [target, navigate]);

  function leave({ workspaceId, second_factor }: Pick<SignInAnswer, "workspaceId" | "second_factor">) {
    if (second_factor) return void navigate(paths.secondStep(query.toString()));
    void clearCachedReads();
    const path = afterSignIn(query, workspaceId, location.origin);
    if (path === null) console.error(`The return URL isn't part of this site: ${query.get("returnUrl")}`);
    setStranded(path === null);
    setTarget(path ?? undefined);
  }
  return { leaving: target !== undefined, stranded, leave };
}
