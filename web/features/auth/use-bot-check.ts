import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import type { TurnstileInstance } from "@marsidev/react-turnstile";
import { useConfig } from "../../lib/config.ts";
import { botCheckPatienceMs } from "../../lib/timings.ts";

export interface BotCheck {
  /** False while a token is needed and not there: then submitting does nothing. */
  ready: boolean;
  token: string | undefined;
  /** A token counts once: asks for the next one after every submit. */
  renew: () => void;
  /** For BotCheckWidget, which every page with a bot check renders. */
  siteKey: string | null;
  widget: RefObject<TurnstileInstance | null>;
  /** The widget's news: a token, or null when it expired. */
  onToken: (token: string | null) => void;
  /** The widget's news: it or its script failed. */
  onFailed: () => void;
  /** Somebody wants to submit without a token. */
  onMissed: () => void;
  /** "waiting": a submit came too early, nothing was sent; "blocked": no token is to be had, so nothing can be sent. */
  trouble: "waiting" | "blocked" | null;
  /** Each one is a widget anew. */
  attempt: number;
  retry: () => void;
}

/** The bot check of a page, where a site key is set. Source: specification, sections 4, 5 and 7. */
export function useBotCheck(): BotCheck {
  const siteKey = useConfig()?.captchaSiteKey ?? null;
  const widget = useRef<TurnstileInstance>(null);
  const [token, setToken] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<BotCheck["trouble"]>(null);
  const [attempt, setAttempt] = useState(1);
  const renew = useCallback(() => {
    setToken(null);
    widget.current?.reset();
  }, []);
  useEffect(() => {
    if (trouble !== "waiting") return;
    const timer = setTimeout(() => setTrouble("blocked"), botCheckPatienceMs);
    return () => clearTimeout(timer);
  }, [trouble, attempt]);

  return {
    ready: siteKey === null || token !== null,
    token: token ?? undefined,
    renew,
    siteKey,
    widget,
    onToken: (news) => {
      setToken(news);
      if (news !== null) setTrouble(null);
    },
    onFailed: () => {
      setToken(null);
      setTrouble("blocked");
    },
    onMissed: () => setTrouble((known) => known ?? "waiting"),
    trouble,
    attempt,
    retry: () => {
      setTrouble("waiting");
      setAttempt((number) => number + 1);
    },
  };
}

/** Makes one submit with the token it needs; sends nothing while there is none. */
export async function withBotCheck(check: BotCheck, submit: (captchaToken: string | undefined) => Promise<void>): Promise<void> {
  if (!check.ready) return check.onMissed();
  try {
    await submit(check.token);
  } finally {
    check.renew();
  }
}
