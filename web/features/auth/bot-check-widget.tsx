import { lazy, Suspense } from "react";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import type { BotCheck } from "./use-bot-check.ts";
import css from "./auth-form.module.css";

const Turnstile = lazy(() => import("@marsidev/react-turnstile").then((module) => ({ default: module.Turnstile })));

/** Turnstile, invisible, and what there is to say of it; nothing of it is loaded without a site key. Stands above the form it guards. */
export function BotCheckWidget({ check }: { check: BotCheck }) {
  if (check.siteKey === null) return null;
  const failed = () => {
    console.error("The bot check could not be loaded.");
    check.onFailed();
  };
  const retry = () => {
    // Its script tag stays behind when loading failed, and as long as it stands there no other is loaded.
    if (!("turnstile" in window)) document.getElementById(scriptId)?.remove();
    check.retry();
  };
  return (
    <>
      {check.trouble === "blocked" && (
        <div className={css.botCheck}>
          <FormError
            title="The bot check did not run"
            message="Nothing was sent. A content blocker or the connection may be in its way; what you typed stays here."
          />
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      <p role="status" className={css.botCheckWaits}>
        {check.trouble === "waiting" && (
          <>
            <Icon name="spinner" /> The bot check is still running, nothing was sent yet. A moment, then try again.
          </>
        )}
      </p>
      <Suspense>
        <Turnstile
          key={check.attempt}
          ref={check.widget}
          siteKey={check.siteKey}
          options={options}
          scriptOptions={{ id: scriptId, onError: failed }}
          onSuccess={check.onToken}
          onExpire={() => check.onToken(null)}
          onError={check.onFailed}
        />
      </Suspense>
    </>
  );
}

const scriptId = "bot-check-script";
const options = { size: "invisible" } as const;
