import { useHref, useLocation } from "react-router-dom";
import { memo } from "react";
import { SocialAuth } from "@supabase/auth-ui-react";
import type { SupabaseClient } from "@supabase/supabase-js";
import { authEndpoints, type OAuthProvider } from "#contract/auth.ts";
import { FormError } from "../../ui/form-error.tsx";
import { call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { useAuthClient } from "./use-auth-client.ts";
import { providerAppearance } from "./auth-ui-appearance.ts";
import { Stack } from "../../ui/layout.tsx";

/** OAuth sign-in that returns to this URL. Failures are logged too (specification, section 8). */
export function ProviderSignIn() {
  const { pathname, search } = useLocation();
  const next = useHref(`${pathname}${search}`);
  const { client, problem } = useAuthClient({
    async signInWith(provider) {
      try {
        const { url } = await call(authEndpoints.login, { body: { provider, next } });
        if (url) goTo(url);
      } catch (error) {
        console.error(`Couldn't start sign-in with ${provider}.`, error);
        throw error;
      }
    },
  });
  return (
    <Stack>
      {problem && <FormError message={problem} />}
      <SocialButtons client={client} />
    </Stack>
  );
}

/** Displayed providers. GitHub is implemented but hidden. Source: specification, section 2; product decision 15. */
const displayed: OAuthProvider[] = ["google"];
const localization = { variables: { sign_in: { social_provider_text: "Continue with {{provider}}" } } };

const SocialButtons = memo(function SocialButtons({ client }: { client: SupabaseClient }) {
  return (
    <SocialAuth
      supabaseClient={client}
      providers={displayed}
      socialLayout="vertical"
      appearance={providerAppearance}
      localization={localization}
    />
  );
});
