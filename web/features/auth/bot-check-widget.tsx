import { createElement, useEffect, useState } from "react";
import type { Turnstile } from "@marsidev/react-turnstile";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useLatest } from "../../lib/use-latest.ts";
import type { BotCheck } from "./use-bot-check.ts";
import { Stack, Text } from "../../ui/layout.tsx";

/** Invisible Turnstile and its error messages; loads nothing without a site key. */
export function BotCheckWidget({ check }: { check: BotCheck }) {
  const onError = () => {
    console.error("Couldn't load the bot check.");
    check.onFailed();
  };
  const turnstile = useTurnstile(check.siteKey === null ? 0 : check.attempt, onError);
  if (check.siteKey === null) return null;
  const retry = () => {
    // Retry: a failed script tag must be removed, or no other is loaded.
    if (!("turnstile" in window)) document.getElementById(scriptId)?.remove();
    check.retry();
  };
  return (
    <>
      {check.problem === "blocked" && (
        <Stack start gap={3} style={{ marginBottom: "var(--space-4)" }}>
          <FormError
            title="We couldn't check that you're human"
            message="Nothing was sent. A content blocker or your connection may be the cause. Your input is kept."
          />
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
        </Stack>
      )}
      <Text role="status" tone="muted" style={{ marginBottom: check.problem === "waiting" ? "var(--space-4)" : undefined }}>
        {check.problem === "waiting" && (
          <>
            <Icon name="spinner" /> Still checking that you're human. Try again in a moment.
          </>
        )}
      </Text>
      {turnstile &&
        createElement(turnstile, {
          key: check.attempt,
          ref: check.widget,
          siteKey: check.siteKey,
          options,
          scriptOptions: { id: scriptId, onError: onError },
          onSuccess: check.onToken,
          onExpire: () => check.onToken(null),
          onError: check.onFailed,
        })}
    </>
  );
}

/** Lazy Turnstile; reloads on a later attempt if it failed. 0: not needed. */
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
