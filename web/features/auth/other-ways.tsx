import { Suspense } from "react";
import { Link } from "react-router-dom";
import type { Config } from "../../lib/config.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./auth-form.module.css";
import { lazyPart } from "../../components/lazy-part.tsx";

const ProviderSignIn = lazyPart(
  () => import("./provider-sign-in.tsx"),
  (part) => part.ProviderSignIn,
);

interface OtherWaysProps {
  /** Undefined: not known yet; null: it could not be read. */
  config: Config | null | undefined;
  /** The way to the other form; null: there is none. */
  to: string | null;
  children: string;
}

/** Below a form: the identity providers this installation has, and the way to the other form. Held back until that is known, so that nothing moves. */
export function OtherWays({ config, to, children }: OtherWaysProps) {
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
