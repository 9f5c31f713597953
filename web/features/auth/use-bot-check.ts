import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import type { TurnstileInstance } from "@marsidev/react-turnstile";
import { useConfig } from "../../lib/config.ts";
import { botCheckTimeoutMs } from "../../lib/timings.ts";

export interface BotCheck {
  /** False while a required token is missing; submit then does nothing. */
  ready: boolean;
  token: string | undefined;
  /** Tokens are single-use: call after each submit. */
  renew: () => void;
  /** For BotCheckWidget. */
  siteKey: string | null;
  widget: RefObject<TurnstileInstance | null>;
  /** Token, or null on expiry. */
  onToken: (token: string | null) => void;
  onFailed: () => void;
  /** Submitted without a token. */
  onEarlySubmit: () => void;
  /** "waiting": submitted too early; "blocked": no token available. */
  problem: "waiting" | "blocked" | null;
  /** Remounts the widget. */
  attempt: number;
  retry: () => void;
}

/** Source: specification, sections 4, 5 and 7. */
export function useBotCheck(): BotCheck {
  const siteKey = useConfig()?.captchaSiteKey ?? null;
  const widget = useRef<TurnstileInstance>(null);
  const [token, setToken] = useState<string | null>(null);
  const [problem, setTrouble] = useState<BotCheck["problem"]>(null);
  const [attempt, setAttempt] = useState(1);
  const renew = useCallback(() => {
    setToken(null);
    widget.current?.reset();
  }, []);
  useEffect(() => {
    if (problem !== "waiting") return;
    const timer = setTimeout(() => setTrouble("blocked"), botCheckTimeoutMs);
    return () => clearTimeout(timer);
  }, [problem, attempt]);

  return {
    ready: siteKey === null || token !== null,
    token: token ?? undefined,
    renew,
    siteKey,
    widget,
    onToken: (newToken) => {
      setToken(newToken);
      if (newToken !== null) setTrouble(null);
    },
    onFailed: () => {
      setToken(null);
      setTrouble("blocked");
    },
    onEarlySubmit: () => setTrouble((current) => current ?? "waiting"),
    problem,
    attempt,
    retry: () => {
      setTrouble("waiting");
      setAttempt((number) => number + 1);
    },
  };
}

/** Submits with a token, or not at all. */
export async function withBotCheck(check: BotCheck, submit: (captchaToken: string | undefined) => Promise<void>): Promise<void> {
  if (!check.ready) return check.onEarlySubmit();
  try {
    await submit(check.token);
  } finally {
    check.renew();
  }
}
