import { createElement, useEffect, useState } from "react";
import type { Turnstile } from "@marsidev/react-turnstile";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { useLatest } from "../../lib/use-latest.ts";
import type { BotCheck } from "./use-bot-check.ts";
import css from "./auth-form.module.css";

/** Turnstile, invisible, and what there is to say of it; nothing of it is loaded without a site key. Stands above the form it guards. */
export function BotCheckWidget({ check }: { check: BotCheck }) {
  const failed = () => {
    console.error("The bot check could not be loaded.");
    check.onFailed();
  };
  const turnstile = useTurnstile(check.siteKey === null ? 0 : check.attempt, failed);
  if (check.siteKey === null) return null;
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
      {turnstile &&
        createElement(turnstile, {
          key: check.attempt,
          ref: check.widget,
          siteKey: check.siteKey,
          options,
          scriptOptions: { id: scriptId, onError: failed },
          onSuccess: check.onToken,
          onExpire: () => check.onToken(null),
          onError: check.onFailed,
        })}
    </>
  );
}

/** Turnstile's own part of our script, loaded for the first attempt; for a later one anew if it could not be. 0: none is wanted. */
function useTurnstile(attempt: number, onFailed: () => void): typeof Turnstile | null {
  const [widget, setWidget] = useState<{ Turnstile: typeof Turnstile }>();
  const failed = useLatest(onFailed);
  useEffect(() => {
    if (attempt === 0 || widget) return;
    let current = true;
    import("@marsidev/react-turnstile").then(
      (module) => current && setWidget(module),
      () => current && failed.current(),
    );
    return () => void (current = false);
  }, [attempt, widget, failed]);
  return widget?.Turnstile ?? null;
}

const scriptId = "bot-check-script";
const options = { size: "invisible" } as const;
