import { lazy, Suspense } from "react";
import type { BotCheck } from "./use-bot-check.ts";

const Turnstile = lazy(() => import("@marsidev/react-turnstile").then((module) => ({ default: module.Turnstile })));

/** Turnstile, invisible; nothing of it is loaded without a site key. */
export function BotCheckWidget({ check }: { check: BotCheck }) {
  if (check.siteKey === null) return null;
  const lost = () => check.onToken(null);
  return (
    <Suspense>
      <Turnstile
        ref={check.widget}
        siteKey={check.siteKey}
        options={options}
        scriptOptions={scriptOptions}
        onSuccess={check.onToken}
        onExpire={lost}
        onError={lost}
      />
    </Suspense>
  );
}

const options = { size: "invisible" } as const;
const scriptOptions = { onError: () => console.error("The bot check could not be loaded.") };
