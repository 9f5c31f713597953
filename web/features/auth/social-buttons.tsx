import { memo } from "react";
import { SocialAuth } from "@supabase/auth-ui-react";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { OAuthProvider } from "#contract/auth.ts";
import { providerAppearance } from "./auth-ui-appearance.ts";

/** The providers that are displayed. GitHub is built too: it is one more entry. Source: specification, section 2; product decision 15. */
const displayed: OAuthProvider[] = ["google"];
const localization = { variables: { sign_in: { social_provider_text: "Continue with {{provider}}" } } };

/** auth-ui-react's buttons for identity providers. */
export const SocialButtons = memo(function SocialButtons({ client }: { client: SupabaseClient }) {
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
