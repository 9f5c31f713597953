import { jwksOf, type Keys } from "../keys.ts";

export interface FunctionEnvironment {
  keys: Keys;
  url: string;
  publicUrl: string;
  ownerUrl: string;
  rateLimitScale: string;
}

const passedOn = [
  ...["TURNSTILE_SITE_KEY", "ANALYTICS_SRC", "OAUTH_PROVIDERS", "SECURITY_CONTACT"],
  ...["MAIL_SUBSCRIPTIONS", "MAIL_RATE", "MAIL_FIRST_WEEK", "MAIL_EVENTS_SECRET", "MAIL_EVENTS_SIGNING_SECRET", "MAIL_EVENTS_LOGIN"],
  ...["MAIL_DKIM_SELECTOR", "WEBHOOKS_TO_PRIVATE", "IMPORTS_TO_PRIVATE", "IMPORT_HOSTS", "BACKUPS_TO_PRIVATE", "ASSISTANTS_TO_PRIVATE"],
  ...["DNS_SERVER", "DOMAINS_AT", "CERTIFICATE_AUTHORITIES", "DENO_CERT"],
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
    PUBLIC_URL: publicUrl,
    MAIL_API_URL: `${url}/dev/mail`,
    MAIL_API_KEY: keys.secretKey,
    RATE_LIMIT_SCALE: rateLimitScale,
    RELEASES_CONNECTIONS: "4",
    NODE_ENV: "production",
    ...Object.fromEntries(passedOn.flatMap((name) => (Deno.env.has(name) ? [[name, Deno.env.get(name)!]] : []))),
  };
}
