import { useHref, useLocation } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { FormError } from "../../components/form-error.tsx";
import { call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { useAuthClient } from "./use-auth-client.ts";
import { SocialButtons } from "./social-buttons.tsx";
import css from "./auth-ui.module.css";

/** Signing in at an identity provider, which sends the browser back to this address, with its query. A failure is logged too (specification, section 8). */
export function ProviderSignIn() {
  const { pathname, search } = useLocation();
  const next = useHref(`${pathname}${search}`);
  const { client, problem } = useAuthClient({
    async signInWith(provider) {
      try {
        const { url } = await call(authEndpoints.login, { body: { provider, next } });
        if (url) goTo(url);
      } catch (error) {
        console.error(`Signing in with ${provider} could not begin.`, error);
        throw error;
      }
    },
  });
  return (
    <div className={css.form}>
      {problem && <FormError message={problem} />}
      <SocialButtons client={client} />
    </div>
  );
}
