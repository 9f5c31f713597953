import { jwksOf, type Keys } from "../keys.ts";

export interface FunctionEnvironment {
  keys: Keys;
  url: string;
  publicUrl: string;
  ownerUrl: string;
  rateLimitScale: string;
}

const passedOn = [
  ...["TURNSTILE_SITE_KEY", "TIDINGS_ANALYTICS_SRC", "TIDINGS_OAUTH_PROVIDERS", "TIDINGS_SECURITY_CONTACT", "TIDINGS_MAIL_SUBSCRIPTIONS"],
  ...["TIDINGS_MAIL_RATE", "TIDINGS_MAIL_FIRST_WEEK", "TIDINGS_MAIL_EVENTS_SECRET", "TIDINGS_MAIL_EVENTS_SIGNING_SECRET"],
  ...["TIDINGS_MAIL_EVENTS_LOGIN", "TIDINGS_MAIL_DKIM_SELECTOR", "TIDINGS_WEBHOOKS_TO_PRIVATE", "TIDINGS_IMPORTS_TO_PRIVATE"],
  ...[
    "TIDINGS_IMPORT_HOSTS",
    "TIDINGS_BACKUPS_TO_PRIVATE",
    "TIDINGS_ASSISTANTS_TO_PRIVATE",
    "TIDINGS_SIGN_ON_TO_PRIVATE",
    "TIDINGS_DNS_SERVER",
    "TIDINGS_DOMAINS_AT",
  ],
  ...["TIDINGS_CERTIFICATE_AUTHORITIES", "DENO_CERT"],
];

export function functionEnvironment({ keys, url, publicUrl, ownerUrl, rateLimitScale }: FunctionEnvironment): Record<string, string> {
  return {
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: keys.publishableKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.secretKey,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    SUPABASE_DB_URL: ownerUrl,
    SUPABASE_JWKS: jwksOf(keys),
    TIDINGS_PUBLIC_URL: publicUrl,
    TIDINGS_MAIL_API_URL: `${url}/dev/mail`,
    TIDINGS_MAIL_API_KEY: keys.secretKey,
    TIDINGS_RATE_LIMIT_SCALE: rateLimitScale,
    TIDINGS_RELEASES_CONNECTIONS: "4",
    NODE_ENV: "production",
    ...Object.fromEntries(passedOn.flatMap((name) => (Deno.env.has(name) ? [[name, Deno.env.get(name)!]] : []))),
  };
}
