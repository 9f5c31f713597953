import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";
import { readEnvironment } from "../releases/environment.ts";

const hosted = {
  SUPABASE_URL: "https://project.supabase.co/",
  SUPABASE_PUBLISHABLE_KEYS: '{"default": "sb_publishable_1"}',
  SUPABASE_SECRET_KEYS: '{"default": "sb_secret_1"}',
  SUPABASE_DB_URL: "postgresql://postgres@db/postgres",
  SUPABASE_JWKS: '{"keys": [{"kty": "EC", "crv": "P-256"}]}',
  TIDINGS_PUBLIC_URL: "https://tidings.example/",
};
const read = (values: Record<string, string | undefined>) => readEnv((name) => values[name]);

describe("the environment of a function", () => {
  test("accepts hosted Supabase's variable names", () => {
    expect(read(hosted)).toEqual({
      supabaseUrl: "https://project.supabase.co",
      publishableKey: "sb_publishable_1",
      secretKey: "sb_secret_1",
      databaseUrl: "postgresql://postgres@db/postgres",
      jwks: [{ kty: "EC", crv: "P-256" }],
      publicUrl: "https://tidings.example",
      captchaSiteKey: null,
      analyticsSrc: null,
      backupsToPrivate: false,
      assistantsToPrivate: false,
      signOnToPrivate: false,
      oauthProviders: [],
      mail: null,
      mailRate: 10,
      mailFirstWeek: 500,
      mailEvents: { secret: null, signing: [], login: null },
      dkimSelector: null,
      webhooksToPrivate: false,
      importsToPrivate: false,
      dnsServer: null,
      domainsAt: null,
      certificateAuthorities: ["letsencrypt.org"],
      importHosts: {},
      securityContact: null,
      trustedProxies: 1,
      rateLimitScale: 1,
    });
  });

  test("accepts the legacy key, a bare list of keys, and our own variables", () => {
    const env = read({
      ...hosted,
      SUPABASE_PUBLISHABLE_KEYS: undefined,
      SUPABASE_ANON_KEY: "anon",
      SUPABASE_SECRET_KEYS: undefined,
      SUPABASE_SERVICE_ROLE_KEY: "service",
      TIDINGS_MAIL_API_URL: "https://mail.example/send",
      TIDINGS_MAIL_API_KEY: "mail-key",
      TIDINGS_MAIL_FROM: "Acme <news@acme.example>",
      TIDINGS_TRUSTED_PROXIES: "2",
      SUPABASE_JWKS: '[{"kty": "oct", "k": "x"}]',
      JWT_SECRET: "super-secret-jwt-token-with-at-least-32-characters-long",
      TIDINGS_OAUTH_PROVIDERS: "google, github",
      TURNSTILE_SITE_KEY: "site",
      TIDINGS_ANALYTICS_SRC: "https://a.example/x.js",
      TIDINGS_RATE_LIMIT_SCALE: "5",
    });
    expect(env).toMatchObject({
      publishableKey: "anon",
      secretKey: "service",
      mail: { transport: "resend", url: "https://mail.example/send", key: "mail-key", from: "Acme <news@acme.example>" },
      trustedProxies: 2,
      jwks: [
        { kty: "oct", k: "x" },
        { kty: "oct", alg: "HS256", k: "c3VwZXItc2VjcmV0LWp3dC10b2tlbi13aXRoLWF0LWxlYXN0LTMyLWNoYXJhY3RlcnMtbG9uZw" },
      ],
      oauthProviders: ["google", "github"],
      captchaSiteKey: "site",
      rateLimitScale: 5,
    });
  });

  test.each([
    ["SUPABASE_URL", "SUPABASE_URL is missing: the URL of the Supabase project"],
    ["SUPABASE_DB_URL", "SUPABASE_DB_URL is missing: the connection string of the database"],
    [
      "SUPABASE_PUBLISHABLE_KEYS",
      'SUPABASE_PUBLISHABLE_KEYS is missing: the project\'s publishable key as {"default": "sb_publishable_…"}',
    ],
    ["SUPABASE_SECRET_KEYS", 'SUPABASE_SECRET_KEYS is missing: the project\'s secret key as {"default": "sb_secret_…"}'],
    ["TIDINGS_PUBLIC_URL", "TIDINGS_PUBLIC_URL is missing: the URL of the product, such as https://tidings.example"],
  ])("without %s throws one sentence", (name, sentence) => {
    expect(() => read({ ...hosted, [name]: undefined })).toThrow(new Error(sentence));
    expect(() => read({ ...hosted, [name]: "" })).toThrow(new Error(sentence));
  });

  const smtp = "smtps://ops:secret@mail.example:465";
  test.each([
    [{ TIDINGS_MAIL_SMTP_URL: smtp }, { transport: "smtp", url: smtp, from: "Tidings <no-reply@localhost>" }],
    [
      { TIDINGS_MAIL_SMTP_URL: smtp, TIDINGS_MAIL_API_URL: "https://mail.example" },
      { transport: "smtp", url: smtp },
    ],
    [
      { TIDINGS_MAIL_TRANSPORT: "resend", TIDINGS_MAIL_SMTP_URL: smtp, TIDINGS_MAIL_API_URL: "https://mail.example" },
      { transport: "resend", url: "https://mail.example" },
    ],
    [
      { TIDINGS_MAIL_TRANSPORT: "postmark", TIDINGS_MAIL_API_KEY: "token" },
      { transport: "postmark", url: "https://api.postmarkapp.com/email", key: "token" },
    ],
  ])("%j is a transport", (values, expected) => {
    expect(read({ ...hosted, ...values }).mail).toMatchObject(expected);
    expect(readEnvironment((name) => ({ ...hosted, ...values })[name as "TIDINGS_PUBLIC_URL"]).mails).toBe(true);
  });

  test.each([
    ["MAIL_TRANSPORT", "pigeon", "must be resend, postmark or smtp"],
    ["MAIL_SMTP_URL", "mail.example:465", "isn't a valid URL, such as smtps://user:password@host:465"],
    ["MAIL_SMTP_URL", "https://mail.example", "isn't a valid URL, such as smtps://user:password@host:465"],
    ["MAIL_API_URL", "mail.example", "isn't a valid http(s) URL"],
    ["MAIL_FIRST_WEEK", "0.5", "isn't a whole number"],
    ["MAIL_EVENTS_SECRET", "short", "must be 20 to 200 letters, digits, - or _, because it is part of a URL"],
    ["MAIL_EVENTS_SECRET", "with/a/slash/in/the/secret", "must be 20 to 200 letters, digits, - or _, because it is part of a URL"],
    ["MAIL_EVENTS_SIGNING_SECRET", "secret", "isn't whsec_ and a base64 key (separate several with commas)"],
    ["ASSISTANTS_TO_PRIVATE", "yes", "must be 1 or 0"],
    ["IMPORTS_TO_PRIVATE", "yes", "must be 1 or 0"],
    ["IMPORT_HOSTS", '{"github":"http://127.0.0.1:4000"}', "is for tests: it needs TIDINGS_IMPORTS_TO_PRIVATE=1"],
    ["IMPORT_HOSTS", '{"github":"file:///etc"}', "isn't a JSON object of sources and http(s) URLs"],
    ["MAIL_EVENTS_LOGIN", "user", "isn't user:password"],
  ])("TIDINGS_%s=%s is refused in one sentence", (name, value, reason) => {
    expect(() => read({ ...hosted, [`TIDINGS_${name}`]: value })).toThrow(`TIDINGS_${name} ${reason}`);
  });

  test.each([
    ["smtp", "TIDINGS_MAIL_SMTP_URL is missing: smtps://user:password@host:465 for TIDINGS_MAIL_TRANSPORT=smtp"],
    ["postmark", "TIDINGS_MAIL_API_KEY is missing: the server's token for TIDINGS_MAIL_TRANSPORT=postmark"],
    ["resend", "TIDINGS_MAIL_API_URL is missing: the URL of the email provider's API"],
  ])("the transport %s needs its other variable", (transport, sentence) => {
    expect(() => read({ ...hosted, TIDINGS_MAIL_TRANSPORT: transport })).toThrow(sentence);
  });

  test("reports every problem on its own line", () => {
    const values = {
      TIDINGS_PUBLIC_URL: "tidings",
      SUPABASE_URL: "ftp://x",
      SUPABASE_DB_URL: "x",
      SUPABASE_JWKS: "no json",
      SUPABASE_ANON_KEY: "a",
      SUPABASE_SERVICE_ROLE_KEY: "s",
      TIDINGS_OAUTH_PROVIDERS: "apple",
      TIDINGS_RATE_LIMIT_SCALE: "fast",
    };
    expect(() => read(values)).toThrow(
      new Error(
        [
          "SUPABASE_URL isn't an http(s) URL: the URL of the Supabase project",
          "SUPABASE_JWKS isn't a JSON Web Key Set",
          "TIDINGS_PUBLIC_URL isn't an http(s) URL: the URL of the product, such as https://tidings.example",
          "TIDINGS_OAUTH_PROVIDERS can only list google and github, separated by commas",
          "TIDINGS_RATE_LIMIT_SCALE isn't a number",
        ].join("\n"),
      ),
    );
  });
});

describe("the environment of the public pages", () => {
  const wrong = (values: Record<string, string | undefined>) => () => readEnvironment((name) => values[name]);

  test("is a subset with the same rules", () => {
    const { publicUrl, databaseUrl, trustedProxies, supabaseUrl } = read({ ...hosted, TIDINGS_TRUSTED_PROXIES: "3" });
    expect(wrong({ ...hosted, TIDINGS_TRUSTED_PROXIES: "3" })()).toEqual({
      ...{ publicUrl, databaseUrl, storageUrl: supabaseUrl, trustedProxies, connections: 2, mails: false, rateLimitScale: 1 },
    });
    const mailing = { ...hosted, TIDINGS_MAIL_API_URL: "https://mail.example/send" };
    expect(wrong(mailing)().mails).toBe(true);
    expect(wrong({ ...mailing, TIDINGS_MAIL_SUBSCRIPTIONS: "off" })().mails).toBe(false);
    expect(wrong({ ...hosted, TIDINGS_RATE_LIMIT_SCALE: "5" })().rateLimitScale).toBe(5);
    expect(wrong(hosted)().trustedProxies).toBe(1);
    expect(wrong({ ...hosted, TIDINGS_RELEASES_CONNECTIONS: "4" })().connections).toBe(4);
  });

  test.each(["0", "11", "many", "-1", "1.5"])("rejects %j as a number of connections", (given) => {
    expect(wrong({ ...hosted, TIDINGS_RELEASES_CONNECTIONS: given })).toThrow(
      new Error("TIDINGS_RELEASES_CONNECTIONS isn't a number from 1 to 10"),
    );
  });
});
