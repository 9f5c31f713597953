import { useCallback, useRef, useState, type RefObject } from "react";
import type { TurnstileInstance } from "@marsidev/react-turnstile";
import { useConfig } from "../../lib/config.ts";

export interface BotCheck {
  /** False while a token is needed and not there: then submitting does nothing. */
  ready: boolean;
  token: string | undefined;
  /** A token counts once: asks for the next one after every submit. */
  renew: () => void;
  /** For BotCheckWidget, which every page with a bot check renders. */
  siteKey: string | null;
  widget: RefObject<TurnstileInstance | null>;
  /** The widget's news: a token, or null when it expired or failed. */
  onToken: (token: string | null) => void;
}

/** The bot check of a page, where a site key is set. Source: specification, sections 4, 5 and 7. */
export function useBotCheck(): BotCheck {
  const siteKey = useConfig()?.captchaSiteKey ?? null;
  const widget = useRef<TurnstileInstance>(null);
  const [token, setToken] = useState<string | null>(null);
  const renew = useCallback(() => {
    setToken(null);
    widget.current?.reset();
  }, []);
  return { ready: siteKey === null || token !== null, token: token ?? undefined, renew, siteKey, widget, onToken: setToken };
}

/** Makes one submit with the token it needs; does nothing while there is none. */
export async function withBotCheck(check: BotCheck, submit: (captchaToken: string | undefined) => Promise<void>): Promise<void> {
  if (!check.ready) return;
  try {
    await submit(check.token);
  } finally {
    check.renew();
  }
}
