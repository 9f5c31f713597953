import { Suspense } from "react";
import { Link } from "react-router-dom";
import { useConfig } from "../../lib/config.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./auth-form.module.css";
import { lazyPart } from "../../components/lazy-part.tsx";

const ProviderSignIn = lazyPart(
  () => import("./provider-sign-in.tsx"),
  (part) => part.ProviderSignIn,
);

/** Below a form: the identity providers this installation has, and the way to the other form. Held back until that is known, so that nothing moves. */
export function OtherWays({ to, children }: { to: string; children: string }) {
  const config = useConfig();
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
      <p className={css.other}>
        <Link to={to}>{children}</Link>
      </p>
    </div>
  );
}
