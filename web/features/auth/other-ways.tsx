import { Suspense } from "react";
import { Link } from "react-router-dom";
import type { Config } from "../../lib/config.ts";
import { Text } from "../../ui/layout.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import css from "./auth.module.css";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ProviderSignIn = lazyPart(() => import("./provider-sign-in.tsx"), "ProviderSignIn");

interface OtherWaysProps {
  /** Undefined: loading; null: couldn't load. */
  config: Config | null | undefined;
  /** Link to the other form; null hides it. */
  to: string | null;
  /** Single sign-on; none to sign up. */
  singleSignOn?: string;
  children: string;
}

/** Identity providers and a link to the other form; invisible until known, so that nothing moves. */
export function AlternativeSignIn({ config, to, singleSignOn, children }: OtherWaysProps) {
  return (
    <div style={{ visibility: config === undefined ? "hidden" : undefined }}>
      {config?.oauthProviders.includes("google") && (
        <>
          <p className={css.divider}>or</p>
          <Suspense fallback={<div style={{ height: "var(--target)" }} />}>
            <ProviderSignIn />
          </Suspense>
        </>
      )}
      {singleSignOn !== undefined && (
        <ButtonLink to={singleSignOn} wide style={{ marginTop: "var(--space-4)" }}>
          Continue with single sign-on
        </ButtonLink>
      )}
      {to !== null && (
        <Text center style={{ marginTop: "var(--space-4)" }}>
          <Link to={to}>{children}</Link>
        </Text>
      )}
    </div>
  );
}
