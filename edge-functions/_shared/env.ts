import { z } from "zod";
import { type MailSettings, readMailSettings } from "#contract/mail-transports.ts";
import { toBase64Url } from "./base64.ts";

const keyList = z.array(z.looseObject({ kty: z.string() }));
const keySet = z.union([keyList, z.object({ keys: keyList }).transform(({ keys }) => keys)]);

const jwks = (name: string) =>
  z.string().transform((value, context) => {
    const parsed = keySet.safeParse(parseJson(value));
    if (!parsed.success) context.addIssue({ code: "custom", message: `${name} isn't a JSON Web Key Set` });
    return parsed.data ?? [];
  });

const importHosts = z.record(z.string(), z.url({ protocol: /^https?$/ }));

const url = (name: string, what: string) =>
  z.url({
    protocol: /^https?$/,
    error: (issue) => (issue.input === undefined ? `${name} is missing: ${what}` : `${name} isn't an http(s) URL: ${what}`),
  });

const variables = z.object({
  SUPABASE_URL: url("SUPABASE_URL", "the URL of the Supabase project"),
  SUPABASE_PUBLISHABLE_KEYS: z.string().optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_SECRET_KEYS: z.string().optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().optional(),
  SUPABASE_DB_URL: z.string({ error: "SUPABASE_DB_URL is missing: the connection string of the database" }).min(1),
  SUPABASE_JWKS: jwks("SUPABASE_JWKS").default([]),
  JWT_SECRET: z.string().min(32, { error: "JWT_SECRET has fewer than 32 characters" }).optional(),
  PUBLIC_URL: url("PUBLIC_URL", "the URL of the product, such as https://tidings.example"),
  TURNSTILE_SITE_KEY: z.string().optional(),
  ANALYTICS_SRC: z.string().optional(),
  OAUTH_PROVIDERS: z
    .string()
    .default("")
    .transform((value) =>
      value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .pipe(z.array(z.enum(["google", "github"], { error: "OAUTH_PROVIDERS can only list google and github, separated by commas" }))),
  MAIL_RATE: z.coerce.number({ error: "MAIL_RATE isn't a number" }).positive().default(10),
  MAIL_FIRST_WEEK: z.coerce
    .number({ error: "MAIL_FIRST_WEEK isn't a number" })
    .int({ error: "MAIL_FIRST_WEEK isn't a whole number" })
    .positive()
    .default(500),
  MAIL_EVENTS_SECRET: z
    .string()
    .regex(/^[\w-]{20,200}$/, { error: "MAIL_EVENTS_SECRET must be 20 to 200 letters, digits, - or _, because it is part of a URL" })
    .optional(),
  MAIL_EVENTS_SIGNING_SECRET: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((secret) => secret !== ""))
    .refine((secrets) => secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)), {
      error: "MAIL_EVENTS_SIGNING_SECRET isn't whsec_ and a base64 key (separate several with commas)",
    })
    .default([]),
  MAIL_EVENTS_LOGIN: z
    .string()
    .regex(/^[^:]+:.+$/, { error: "MAIL_EVENTS_LOGIN isn't user:password" })
    .optional(),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i, { error: "MAIL_DKIM_SELECTOR isn't a DNS name, such as resend" })
    .optional(),
  WEBHOOKS_TO_PRIVATE: z.enum(["0", "1"], { error: "WEBHOOKS_TO_PRIVATE must be 1 or 0" }).default("0"),
  IMPORTS_TO_PRIVATE: z.enum(["0", "1"], { error: "IMPORTS_TO_PRIVATE must be 1 or 0" }).default("0"),
  BACKUPS_TO_PRIVATE: z.enum(["0", "1"], { error: "BACKUPS_TO_PRIVATE must be 1 or 0" }).default("0"),
  ASSISTANTS_TO_PRIVATE: z.enum(["0", "1"], { error: "ASSISTANTS_TO_PRIVATE must be 1 or 0" }).default("0"),
  IMPORT_HOSTS: z
    .string()
    .transform((value) => importHosts.safeParse(parseJson(value)).data ?? null)
    .refine((hosts) => hosts !== null, { error: "IMPORT_HOSTS isn't a JSON object of sources and http(s) URLs" })
    .optional(),
  DNS_SERVER: z
    .string()
    .regex(/^(?:\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d{1,5})?$/i, { error: "DNS_SERVER isn't an address such as 127.0.0.1:53" })
    .optional(),
  DOMAINS_AT: url("DOMAINS_AT", "the URL that replaces custom domains' own addresses").optional(),
  CERTIFICATE_AUTHORITIES: z
    .string()
    .default("letsencrypt.org")
    .transform((value) => value.split(/[\s,]+/).filter((name) => name !== ""))
    .refine((names) => names.length > 0 && names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)), {
      error: "CERTIFICATE_AUTHORITIES isn't a list of CAA issuers, such as letsencrypt.org",
    }),
  SECURITY_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], { error: "SECURITY_CONTACT isn't an email address or https URL" })
    .optional(),
  TRUSTED_PROXIES: z.coerce.number({ error: "TRUSTED_PROXIES isn't a number" }).int().positive().default(1),
  RATE_LIMIT_SCALE: z.coerce.number({ error: "RATE_LIMIT_SCALE isn't a number" }).positive().default(1),
});

/** Variable names are hosted Supabase's, plus ours. */
export interface Env {
  supabaseUrl: string;
  publishableKey: string;
  /**
   * Role service_role; used only in
   * _shared/{rate-limits,discarded-files,key-uploads,link-pictures,waiting-accounts,outbox,backups,domain-claims}.ts;
   * {presence,_shared}/seal.ts derive keys from it.
   */
  secretKey: string;
  databaseUrl: string;
  /** Verification keys of session tokens; asymmetric ones may also come from the project's JWKS URL. */
  jwks: readonly Record<string, unknown>[];
  publicUrl: string;
  captchaSiteKey: string | null;
  analyticsSrc: string | null;
  oauthProviders: readonly ("google" | "github")[];
  mail: MailSettings | null;
  mailRate: number;
  /** Daily limit of a workspace in its first week. */
  mailFirstWeek: number;
  mailEvents: { secret: string | null; signing: readonly string[]; login: string | null };
  dkimSelector: string | null;
  /** Allows private networks, http and any port, for tests and isolated networks; likewise the three below. */
  webhooksToPrivate: boolean;
  importsToPrivate: boolean;
  backupsToPrivate: boolean;
  assistantsToPrivate: boolean;
  importHosts: Readonly<Record<string, string>>;
  /** Overrides the system's DNS for custom domains. */
  dnsServer: { ipAddr: string; port: number } | null;
  /** Overrides the address of custom domains, for tests and networks without public DNS. */
  domainsAt: URL | null;
  certificateAuthorities: readonly string[];
  /** Email or https URL for security.txt. */
  securityContact: string | null;
  trustedProxies: number;
  rateLimitScale: number;
}

export function readEnv(read: (name: string) => string | undefined): Env {
  const values = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, read(name) || undefined]));
  const parsed = variables.safeParse(values);
  const key = firstKey(values.SUPABASE_PUBLISHABLE_KEYS) ?? values.SUPABASE_ANON_KEY;
  const secretKey = firstKey(values.SUPABASE_SECRET_KEYS) ?? values.SUPABASE_SERVICE_ROLE_KEY;
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => issue.message);
  const { mail, problems: mailProblems } = readMailSettings(read);
  problems.push(...mailProblems);
  if (!key) problems.push('SUPABASE_PUBLISHABLE_KEYS is missing: the project\'s publishable key as {"default": "sb_publishable_…"}');
  if (!secretKey) problems.push('SUPABASE_SECRET_KEYS is missing: the project\'s secret key as {"default": "sb_secret_…"}');
  // SSRF: elsewhere a key would be sent to any host in the variable.
  if (parsed.data?.IMPORT_HOSTS && parsed.data.IMPORTS_TO_PRIVATE !== "1")
    problems.push("IMPORT_HOSTS is for tests: it needs IMPORTS_TO_PRIVATE=1");
  if (!parsed.success || !key || !secretKey || problems.length > 0) throw new Error(problems.join("\n"));
  return {
    supabaseUrl: parsed.data.SUPABASE_URL.replace(/\/+$/, ""),
    publishableKey: key,
    secretKey,
    databaseUrl: parsed.data.SUPABASE_DB_URL,
    jwks: [...parsed.data.SUPABASE_JWKS, ...symmetricKey(parsed.data.JWT_SECRET)],
    publicUrl: new URL(parsed.data.PUBLIC_URL).origin,
    captchaSiteKey: parsed.data.TURNSTILE_SITE_KEY ?? null,
    analyticsSrc: parsed.data.ANALYTICS_SRC ?? null,
    oauthProviders: parsed.data.OAUTH_PROVIDERS,
    mail,
    mailRate: parsed.data.MAIL_RATE,
    mailFirstWeek: parsed.data.MAIL_FIRST_WEEK,
    mailEvents: {
      secret: parsed.data.MAIL_EVENTS_SECRET ?? null,
      signing: parsed.data.MAIL_EVENTS_SIGNING_SECRET,
      login: parsed.data.MAIL_EVENTS_LOGIN ?? null,
    },
    dkimSelector: parsed.data.MAIL_DKIM_SELECTOR ?? null,
    webhooksToPrivate: parsed.data.WEBHOOKS_TO_PRIVATE === "1",
    importsToPrivate: parsed.data.IMPORTS_TO_PRIVATE === "1",
    backupsToPrivate: parsed.data.BACKUPS_TO_PRIVATE === "1",
    assistantsToPrivate: parsed.data.ASSISTANTS_TO_PRIVATE === "1",
    importHosts: parsed.data.IMPORT_HOSTS ?? {},
    dnsServer: parsed.data.DNS_SERVER === undefined ? null : addressOf(parsed.data.DNS_SERVER),
    domainsAt: parsed.data.DOMAINS_AT === undefined ? null : new URL(parsed.data.DOMAINS_AT),
    certificateAuthorities: parsed.data.CERTIFICATE_AUTHORITIES,
    securityContact: parsed.data.SECURITY_CONTACT ?? null,
    trustedProxies: parsed.data.TRUSTED_PROXIES,
    rateLimitScale: parsed.data.RATE_LIMIT_SCALE,
  };
}

function addressOf(text: string): { ipAddr: string; port: number } {
  const { hostname, port } = new URL(`http://${text}`);
  return { ipAddr: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 53) };
}

function symmetricKey(secret: string | undefined): Record<string, unknown>[] {
  if (!secret) return [];
  return [{ kty: "oct", alg: "HS256", k: toBase64Url(new TextEncoder().encode(secret)) }];
}

function firstKey(json: string | undefined): string | undefined {
  const parsed = z.record(z.string(), z.string()).safeParse(parseJson(json ?? "{}"));
  return parsed.success ? (parsed.data.default ?? Object.values(parsed.data)[0]) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
