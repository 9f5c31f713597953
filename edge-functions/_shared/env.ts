import { z } from "zod";
import { type MailSettings, readMailSettings } from "#contract/mail-transports.ts";
import { toBase64Url } from "./base64.ts";

const keyList = z.array(z.looseObject({ kty: z.string() }));
const keySet = z.union([keyList, z.object({ keys: keyList }).transform(({ keys }) => keys)]);

const jwks = z.string().transform((value, context) => {
  const parsed = keySet.safeParse(parseJson(value));
  if (!parsed.success) context.addIssue({ code: "custom", message: "isn't a JSON Web Key Set" });
  return parsed.data ?? [];
});

const importHosts = z.record(z.string(), z.url({ protocol: /^https?$/ }));

const url = (what: string) =>
  z.url({ protocol: /^https?$/, error: ({ input }) => `${input === undefined ? "is missing" : "isn't an http(s) URL"}: ${what}` });
const number = z.coerce.number({ error: "isn't a number" });
const flag = z
  .enum(["0", "1"], { error: "must be 1 or 0" })
  .default("0")
  .transform((value) => value === "1");
const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== "");

/** Errors continue a sentence that begins with the variable's name. */
const variables = z.object({
  SUPABASE_URL: url("the URL of the Supabase project"),
  SUPABASE_PUBLISHABLE_KEYS: z.string().optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_SECRET_KEYS: z.string().optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().optional(),
  SUPABASE_DB_URL: z.string({ error: "is missing: the connection string of the database" }).min(1),
  SUPABASE_JWKS: jwks.default([]),
  JWT_SECRET: z.string().min(32, { error: "has fewer than 32 characters" }).optional(),
  TIDINGS_PUBLIC_URL: url("the URL of the product, such as https://tidings.example").transform((value) => new URL(value).origin),
  TURNSTILE_SITE_KEY: z.string().optional(),
  TIDINGS_ANALYTICS_SRC: z.string().optional(),
  TIDINGS_OAUTH_PROVIDERS: z
    .string()
    .default("")
    .transform(words)
    .pipe(z.array(z.enum(["google", "github"], { error: "can only list google and github, separated by commas" }))),
  TIDINGS_MAIL_RATE: number.positive().default(10),
  TIDINGS_MAIL_FIRST_WEEK: number.int({ error: "isn't a whole number" }).positive().default(500),
  TIDINGS_MAIL_EVENTS_SECRET: z
    .string()
    .regex(/^[\w-]{20,200}$/, { error: "must be 20 to 200 letters, digits, - or _, because it is part of a URL" })
    .optional(),
  TIDINGS_MAIL_EVENTS_SIGNING_SECRET: z
    .string()
    .transform(words)
    .refine((secrets) => secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)), {
      error: "isn't whsec_ and a base64 key (separate several with commas)",
    })
    .default([]),
  TIDINGS_MAIL_EVENTS_LOGIN: z
    .string()
    .regex(/^[^:]+:.+$/, { error: "isn't user:password" })
    .optional(),
  TIDINGS_MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i, { error: "isn't a DNS name, such as resend" })
    .optional(),
  TIDINGS_WEBHOOKS_TO_PRIVATE: flag,
  TIDINGS_IMPORTS_TO_PRIVATE: flag,
  TIDINGS_BACKUPS_TO_PRIVATE: flag,
  TIDINGS_ASSISTANTS_TO_PRIVATE: flag,
  TIDINGS_SIGN_ON_TO_PRIVATE: flag,
  TIDINGS_IMPORT_HOSTS: z
    .string()
    .transform((value) => importHosts.safeParse(parseJson(value)).data ?? null)
    .refine((hosts) => hosts !== null, { error: "isn't a JSON object of sources and http(s) URLs" })
    .optional(),
  TIDINGS_DNS_SERVER: z
    .string()
    .regex(/^(?:\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d{1,5})?$/i, { error: "isn't an address such as 127.0.0.1:53" })
    .transform(addressOf)
    .optional(),
  TIDINGS_DOMAINS_AT: url("the URL that replaces custom domains' own addresses")
    .transform((value) => new URL(value))
    .optional(),
  TIDINGS_CERTIFICATE_AUTHORITIES: z
    .string()
    .default("letsencrypt.org")
    .transform(words)
    .refine((names) => names.length > 0 && names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)), {
      error: "isn't a list of CAA issuers, such as letsencrypt.org",
    }),
  TIDINGS_SECURITY_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], { error: "isn't an email address or https URL" })
    .optional(),
  TIDINGS_TRUSTED_PROXIES: number.int().positive().default(1),
  TIDINGS_RATE_LIMIT_SCALE: number.positive().default(1),
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
  signOnToPrivate: boolean;
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
  const problems = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
  const { mail, problems: mailProblems } = readMailSettings(read);
  problems.push(...mailProblems);
  if (!key) problems.push('SUPABASE_PUBLISHABLE_KEYS is missing: the project\'s publishable key as {"default": "sb_publishable_…"}');
  if (!secretKey) problems.push('SUPABASE_SECRET_KEYS is missing: the project\'s secret key as {"default": "sb_secret_…"}');
  // SSRF: elsewhere a key would be sent to any host in the variable.
  if (parsed.data?.TIDINGS_IMPORT_HOSTS && !parsed.data.TIDINGS_IMPORTS_TO_PRIVATE)
    problems.push("TIDINGS_IMPORT_HOSTS is for tests: it needs TIDINGS_IMPORTS_TO_PRIVATE=1");
  if (!parsed.success || !key || !secretKey || problems.length > 0) throw new Error(problems.join("\n"));
  const { data } = parsed;
  return {
    supabaseUrl: data.SUPABASE_URL.replace(/\/+$/, ""),
    publishableKey: key,
    secretKey,
    databaseUrl: data.SUPABASE_DB_URL,
    jwks: [...data.SUPABASE_JWKS, ...symmetricKey(data.JWT_SECRET)],
    publicUrl: data.TIDINGS_PUBLIC_URL,
    captchaSiteKey: data.TURNSTILE_SITE_KEY ?? null,
    analyticsSrc: data.TIDINGS_ANALYTICS_SRC ?? null,
    oauthProviders: data.TIDINGS_OAUTH_PROVIDERS,
    mail,
    mailRate: data.TIDINGS_MAIL_RATE,
    mailFirstWeek: data.TIDINGS_MAIL_FIRST_WEEK,
    mailEvents: {
      secret: data.TIDINGS_MAIL_EVENTS_SECRET ?? null,
      signing: data.TIDINGS_MAIL_EVENTS_SIGNING_SECRET,
      login: data.TIDINGS_MAIL_EVENTS_LOGIN ?? null,
    },
    dkimSelector: data.TIDINGS_MAIL_DKIM_SELECTOR ?? null,
    webhooksToPrivate: data.TIDINGS_WEBHOOKS_TO_PRIVATE,
    importsToPrivate: data.TIDINGS_IMPORTS_TO_PRIVATE,
    backupsToPrivate: data.TIDINGS_BACKUPS_TO_PRIVATE,
    assistantsToPrivate: data.TIDINGS_ASSISTANTS_TO_PRIVATE,
    signOnToPrivate: data.TIDINGS_SIGN_ON_TO_PRIVATE,
    importHosts: data.TIDINGS_IMPORT_HOSTS ?? {},
    dnsServer: data.TIDINGS_DNS_SERVER ?? null,
    domainsAt: data.TIDINGS_DOMAINS_AT ?? null,
    certificateAuthorities: data.TIDINGS_CERTIFICATE_AUTHORITIES,
    securityContact: data.TIDINGS_SECURITY_CONTACT ?? null,
    trustedProxies: data.TIDINGS_TRUSTED_PROXIES,
    rateLimitScale: data.TIDINGS_RATE_LIMIT_SCALE,
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
