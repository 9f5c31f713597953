import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useConfig } from "../../../lib/config.ts";
import type { Turnstile } from "./turnstile.ts";

export interface BotCheck {
  /** False while a token is needed and not there: then submitting does nothing. */
  ready: boolean;
  token: string | undefined;
  /** A token counts once: asks for the next one after every submit. */
  renew: () => void;
  /** Where the check lives; invisible. Put it on an empty element. */
  holder: RefObject<HTMLDivElement | null>;
}

/** The invisible bot check of this page, where a site key is set; its token is null on expiry and error. Source: specification, sections 4, 5 and 7. */
export function useBotCheck(): BotCheck {
  const siteKey = useConfig()?.captchaSiteKey ?? null;
  const holder = useRef<HTMLDivElement>(null);
  const widget = useRef<{ turnstile: Turnstile; id: string }>(undefined);
  const [token, setToken] = useState<string | null>(null);

  useEffect(() => {
    if (siteKey === null) return;
    let gone = false;
    const lost = () => setToken(null);
    const loading = import("./turnstile.ts").then(({ loadTurnstile }) => loadTurnstile());
    loading.then(
      (turnstile) => {
        if (gone || !holder.current) return;
        const id = turnstile.render(holder.current, {
          sitekey: siteKey,
          size: "invisible",
          callback: setToken,
          "expired-callback": lost,
          "error-callback": lost,
        });
        widget.current = { turnstile, id };
      },
      (error: unknown) => console.error("The bot check could not be loaded.", error),
    );
    return () => {
      gone = true;
      widget.current?.turnstile.remove(widget.current.id);
      widget.current = undefined;
    };
  }, [siteKey]);

  const renew = useCallback(() => {
    if (!widget.current) return;
    setToken(null);
    widget.current.turnstile.reset(widget.current.id);
  }, []);
  return { ready: siteKey === null || token !== null, token: token ?? undefined, renew, holder };
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
