/** Each variable is now called TIDINGS_ and this name. */
const formerNames = [
  ...["ANALYTICS_SRC", "OAUTH_PROVIDERS", "PUBLIC_URL", "SECURITY_CONTACT"],
  ...["MAIL_API_KEY", "MAIL_API_URL", "MAIL_DKIM_SELECTOR", "MAIL_EVENTS_LOGIN", "MAIL_EVENTS_SECRET", "MAIL_EVENTS_SIGNING_SECRET"],
  ...["MAIL_FIRST_WEEK", "MAIL_FROM", "MAIL_RATE", "MAIL_SMTP_URL", "MAIL_SUBSCRIPTIONS", "MAIL_TRANSPORT"],
  ...["CERTIFICATE_AUTHORITIES", "DNS_SERVER", "DOMAINS_AT", "FRONT_DOOR", "INSECURE_HTTP", "TRUSTED_PROXIES"],
  ...["ASSISTANTS_TO_PRIVATE", "BACKUPS_TO_PRIVATE", "IMPORT_HOSTS", "IMPORTS_TO_PRIVATE", "WEBHOOKS_TO_PRIVATE"],
  ...["BACKUP_PASSPHRASE", "DATA_DIR", "LOG", "METRICS_PORT", "RATE_LIMIT_SCALE", "RELEASES_CONNECTIONS", "SEED", "SLOW_QUERY_MS"],
  ...["TARGET_DB_URL", "TARGET_SECRET_KEY", "TARGET_SUPABASE_URL"],
];

/** Sets variables that only have their former name, and warns about each. */
export function adoptFormerNames(
  env: Record<string, string | undefined> = process.env,
  warn: (message: string) => void = console.warn,
): void {
  for (const name of formerNames) {
    const present = `TIDINGS_${name}`;
    if (!env[name] || env[present] !== undefined) continue;
    env[present] = env[name];
    warn(`${name} is now called ${present}. The former name still works.`);
  }
}
