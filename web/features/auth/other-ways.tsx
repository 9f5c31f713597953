import { Suspense } from "react";
import { Link } from "react-router-dom";
import type { Config } from "../../lib/config.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./auth-form.module.css";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ProviderSignIn = lazyPart(
  () => import("./provider-sign-in.tsx"),
  (part) => part.ProviderSignIn,
);

interface OtherWaysProps {
  /** Undefined: loading; null: couldn't load. */
  config: Config | null | undefined;
  /** Link to the other form; null hides it. */
  to: string | null;
  children: string;
}

/** Identity providers and a link to the other form; invisible until known, so that nothing moves. */
export function AlternativeSignIn({ config, to, children }: OtherWaysProps) {
  return (
    <div className={classNames(config === undefined && css.held)}>
      {config?.oauthProviders.includes("google") && (
        <>
          <p className={css.divider}>or</p>
          <Suspense fallback={<div className={css.waiting} />}>
            <ProviderSignIn />
          </Suspense>
        </>
      )}
      {to !== null && (
        <p className={css.other}>
          <Link to={to}>{children}</Link>
        </p>
      )}
    </div>
  );
}
