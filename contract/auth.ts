import { z } from "zod";
import { id, line, success } from "./fields.ts";
import { endpoint } from "./endpoint.ts";
import type { ErrorCode } from "./errors.ts";
import { emailLocalPartMaxLength, emailMaxLength, fullNameMaxLength, passwordMaxLength, passwordMinLength } from "./limits.ts";

/** Error codes of the auth service that end a session on refresh. Any other error (rate limit, 5xx) keeps the session. */
export const endedSessionCodes: readonly string[] = [
  "refresh_token_not_found",
  "refresh_token_already_used",
  "session_not_found",
  "session_expired",
  "user_banned",
  "user_not_found",
  "validation_failed",
];

const emailSentence = "Please enter a valid email address";

/** At most 254 characters, local part at most 64; lowercased. Source: specification, section 5. */
export const email = z
  .string({ error: "Email is required" })
  .trim()
  .min(1, { error: "Email is required" })
  .max(emailMaxLength, { error: emailSentence })
  .refine((value) => z.email().safeParse(value).success && value.lastIndexOf("@") <= emailLocalPartMaxLength, { error: emailSentence })
  .transform((value) => value.toLowerCase());

/** 8 characters to 72 bytes (bcrypt). Source: product decision 15. */
export const newPassword = z
  .string({ error: "Password is required" })
  .min(1, { error: "Password is required" })
  .min(passwordMinLength, { error: `Please use at least ${passwordMinLength} characters` })
  .refine((value) => new TextEncoder().encode(value).length <= passwordMaxLength, {
    error: `Please use at most ${passwordMaxLength} characters`,
  });

const password = z.string({ error: "Password is required" }).min(1, { error: "Password is required" }).max(1_000);
/** Some bot-check widgets send null for a missing token. */
const captchaToken = z
  .string()
  .max(4_096)
  .nullish()
  .transform((token) => token ?? undefined);

export const fullName = line("Full name is required", fullNameMaxLength);

export const loginInput = z.object({
  email,
  password,
  provider: z.literal("email").optional(),
  captchaToken,
  remember: z.boolean().default(true),
});

export const oauthProviders = ["google", "github"] as const;
export type OAuthProvider = (typeof oauthProviders)[number];

export const providerInput = z.object({ provider: z.enum(oauthProviders), next: z.string().max(2_048).optional() });

export const signupInput = z.object({
  email,
  password: newPassword,
  fullName,
  companyName: z.string().trim().max(120).optional(),
  /** Token of an invitation (stored with the account) or of the operator's link. */
  token: z.string().max(200).optional(),
  captchaToken,
});

export const signUpModes = ["open", "invited", "domains", "closed"] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Sign-up rule; an invitation link always works. Source: product decision 31. */
export const signUpOffer = z.object({
  mode: z.enum(signUpModes),
  domains: z.array(z.string()),
  is_offered: z.boolean(),
});

export type SignUpOffer = z.infer<typeof signUpOffer>;

export const signUpRefusals = {
  invited: "sign_up_by_invitation",
  domains: "sign_up_by_domain",
  closed: "sign_up_closed",
} as const satisfies Record<Exclude<SignUpMode, "open">, ErrorCode>;

export const signedInUser = z.object({ id, email: z.string(), full_name: z.string() });
export type SignedInUser = z.infer<typeof signedInUser>;

/** The session has no rights until POST /api/auth/factor. */
const second_factor = z.literal(true).optional();

/** The email links to a page whose button spends the token, so a mail scanner's GET doesn't. */
export const verifyInput = z.object({
  token_hash: z.string({ error: "This link is invalid or has already been used." }).min(1).max(500),
  type: z.enum(["signup", "email", "recovery", "email_change", "magiclink", "invite"]),
});

export const authEndpoints = {
  login: endpoint("POST /api/auth/login", {
    summary: "Sign in with email and password, or start signing in with a provider",
    access: "public",
    limit: "signIn",
    body: z.discriminatedUnion("provider", [loginInput, providerInput]),
    /** Without `user`: redirect to the provider's `url`, or with `second_factor` continue at POST /api/auth/factor. */
    response: z.object({ workspaceId: id.nullable(), user: signedInUser.nullable(), url: z.string().optional(), second_factor }),
    errors: ["invalid_credentials", "email_not_confirmed", "captcha_failed", "provider_unavailable"],
  }),
  oauth: endpoint("GET /api/auth/login/oauth", {
    summary: "Redirect to an identity provider; it returns to /auth/callback with `code` and `next`",
    access: "public",
    limit: "credential",
    query: z.object({ next: z.string().optional(), provider: z.enum(oauthProviders).default("google") }),
    status: 302,
    response: z.object({ location: z.string() }),
    errors: ["provider_unavailable"],
  }),
  callback: endpoint("POST /api/auth/callback", {
    summary: "Exchange an identity provider's code for a session",
    access: "public",
    limit: "credential",
    body: z.object({ code: z.string({ error: "No code found" }).min(1, { error: "No code found" }).max(2_048) }),
    response: z.object({ success: z.literal(true), workspaceId: id.nullable(), user: signedInUser.nullable(), second_factor }),
    errors: ["link_invalid"],
  }),
  signup: endpoint("POST /api/auth/signup", {
    summary: "Sign up; the response is the same for new and known addresses",
    access: "public",
    limit: "signUp",
    body: signupInput,
    status: 201,
    /** `confirmed`: signed in at once, as the token came by email to this address. Otherwise a link is emailed. */
    response: success.extend({ confirmed: z.literal(true).optional() }),
    errors: ["captcha_failed", "sign_up_by_invitation", "sign_up_by_domain", "sign_up_closed"],
  }),
  resend: endpoint("POST /api/auth/resend", {
    summary: "Resend the sign-up confirmation link; the response is the same for any address",
    access: "public",
    limit: "mailLink",
    body: z.object({ email, captchaToken }),
    response: success,
    errors: ["captcha_failed"],
  }),
  reset: endpoint("POST /api/auth/reset", {
    summary: "Send a password reset link; the response is the same for any address",
    access: "public",
    limit: "mailLink",
    body: z.object({ email, captchaToken }),
    response: success,
    errors: ["captcha_failed"],
  }),
  verify: endpoint("POST /api/auth/verify", {
    summary: "Sign in with a link from an email",
    access: "public",
    limit: "credential",
    body: verifyInput,
    response: z.object({
      success: z.literal(true),
      /** null when a change of address still needs the link sent to the other address, and with `second_factor`. */
      user: signedInUser.nullable(),
      second_factor,
      /** The sign-up came from another browser, possibly another person's, so its password was removed and a new one is required. */
      choosePassword: z.boolean(),
    }),
    errors: ["link_invalid"],
  }),
  undoEmailChange: endpoint("POST /api/auth/undo-email-change", {
    summary: "Undo a change of email address with the link sent to the old address; ends all sessions and requires a password reset",
    access: "public",
    limit: "credential",
    body: z.object({ token: z.string({ error: "This link is invalid or has already been used." }).min(1).max(100) }),
    response: z.object({ success: z.literal(true), email: z.string() }),
    errors: ["link_invalid"],
  }),
  undoChange: endpoint("POST /api/auth/undo-change", {
    summary: "Undo a change of credentials within 24 hours, with its email's link; ends all sessions and requires a password reset",
    details: "The link of a requested reset of the second factor cancels it, or with `confirm` does it at once.",
    access: "public",
    limit: "credential",
    body: z.object({
      token: z.string({ error: "This link is invalid or has already been used." }).min(1).max(100),
      confirm: z.boolean().default(false),
    }),
    response: success,
    errors: ["link_invalid"],
  }),
  logout: endpoint("POST /api/auth/logout", {
    summary: "End this session; on an error the session can continue although the cookies are gone",
    access: "public",
    /** `url`: continue there to sign out at the identity provider too. */
    response: success.extend({ url: z.string().optional() }),
    errors: ["unauthenticated", "unavailable"],
  }),
  config: endpoint("GET /api/config", {
    summary: "Public configuration of this installation",
    access: "public",
    response: z.object({
      supabaseKey: z.string(),
      /** host[:port] of workspace subdomains, e.g. localhost:3000. */
      host: z.string(),
      captchaSiteKey: z.string().nullable(),
      analyticsSrc: z.string().nullable(),
      oauthProviders: z.array(z.enum(oauthProviders)),
      /** null while the database is unreachable. */
      signUp: signUpOffer.nullable(),
    }),
  }),
} as const;
