import { z } from "zod";
import { id, line, success } from "./fields.ts";
import { endpoint } from "./endpoint.ts";
import type { ErrorCode } from "./errors.ts";
import { emailLocalPartMaxLength, emailMaxLength, fullNameMaxLength, passwordMaxLength, passwordMinLength } from "./limits.ts";

/**
 * What the auth service says at a renewal when the session is over, or when its refresh token never was one. Whatever else it answers (too
 * many requests, an error of its own), the session goes on.
 */
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

/** An email address: at most 254 characters, local part at most 64; lower-cased. Source: specification, section 5. */
export const email = z
  .string({ error: "Email is required" })
  .trim()
  .min(1, { error: "Email is required" })
  .max(emailMaxLength, { error: emailSentence })
  .refine((value) => z.email().safeParse(value).success && value.lastIndexOf("@") <= emailLocalPartMaxLength, { error: emailSentence })
  .transform((value) => value.toLowerCase());

/** A password that is being chosen: 8 characters at least, 72 bytes at most (bcrypt). Source: product decision 15. */
export const newPassword = z
  .string({ error: "Password is required" })
  .min(1, { error: "Password is required" })
  .min(passwordMinLength, { error: `Please use at least ${passwordMinLength} characters` })
  .refine((value) => new TextEncoder().encode(value).length <= passwordMaxLength, {
    error: `Please use at most ${passwordMaxLength} characters`,
  });

const password = z.string({ error: "Password is required" }).min(1, { error: "Password is required" }).max(1_000);
/** `null` is how some widgets of bot checks say that there is none. */
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
  /** Off: the session ends with the browser. */
  remember: z.boolean().default(true),
});

export const oauthProviders = ["google", "github"] as const;
export type OAuthProvider = (typeof oauthProviders)[number];

/** Only a provider: the answer's `url` is where the browser goes to sign in with it. */
export const providerInput = z.object({ provider: z.enum(oauthProviders), next: z.string().max(2_048).optional() });

export const signupInput = z.object({
  email,
  password: newPassword,
  fullName,
  /** Kept with the account to prefill onboarding; absent when the person joins by invitation. */
  companyName: z.string().trim().max(120).optional(),
  /** An invitation's token: which one it is, is remembered with the account. Or that of the operator's link. */
  token: z.string().max(200).optional(),
  captchaToken,
});

export const signUpModes = ["open", "invited", "domains", "closed"] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Who can sign up; an invitation's link always lets its person in. Source: product decision 31. */
export const signUpOffer = z.object({
  mode: z.enum(signUpModes),
  /** Of email addresses, for mode "domains". */
  domains: z.array(z.string()),
  /** The page shows a form to people without an invitation. */
  is_offered: z.boolean(),
});

export type SignUpOffer = z.infer<typeof signUpOffer>;

/** What a sign-up without an invitation is refused with. */
export const signUpRefusals = {
  invited: "sign_up_by_invitation",
  domains: "sign_up_by_domain",
  closed: "sign_up_closed",
} as const satisfies Record<Exclude<SignUpMode, "open">, ErrorCode>;

export const signedInUser = z.object({ id, email: z.string(), full_name: z.string() });
export type SignedInUser = z.infer<typeof signedInUser>;

/** The link in the confirmation mail is a page; only its button spends the token, so a mail scanner's GET does not. */
export const verifyInput = z.object({
  token_hash: z.string({ error: "This link is invalid or has already been used." }).min(1).max(500),
  type: z.enum(["signup", "email", "recovery", "email_change", "magiclink", "invite"]),
});

export const authEndpoints = {
  login: endpoint({
    method: "POST",
    path: "/api/auth/login",
    summary: "Sign in with email and password; or, with only a provider, begin signing in with that",
    access: "public",
    limit: "signIn",
    body: z.discriminatedUnion("provider", [loginInput, providerInput]),
    status: 200,
    /** `user` is null, and `url` there, only when signing in goes on at a provider. */
    response: z.object({ workspaceId: id.nullable(), user: signedInUser.nullable(), url: z.string().optional() }),
    errors: ["invalid_credentials", "email_not_confirmed", "captcha_failed", "provider_unavailable"],
  }),
  oauth: endpoint({
    method: "GET",
    path: "/api/auth/login/oauth",
    summary: "Send the browser to an identity provider; it comes back to /auth/callback with `code` and `next`",
    access: "public",
    limit: "credential",
    query: z.object({ next: z.string().optional(), provider: z.enum(oauthProviders).default("google") }),
    status: 302,
    response: z.object({ location: z.string() }),
    errors: ["provider_unavailable"],
  }),
  callback: endpoint({
    method: "POST",
    path: "/api/auth/callback",
    summary: "Spend the code that an identity provider sent the browser back with, and sign in",
    access: "public",
    limit: "credential",
    body: z.object({ code: z.string({ error: "No code found" }).min(1, { error: "No code found" }).max(2_048) }),
    status: 200,
    response: z.object({ success: z.literal(true), workspaceId: id.nullable(), user: signedInUser }),
    errors: ["link_invalid"],
  }),
  signup: endpoint({
    method: "POST",
    path: "/api/auth/signup",
    summary: "Sign up; the answer is the same whether the address is known or not",
    access: "public",
    limit: "signUp",
    body: signupInput,
    status: 201,
    /** `confirmed`: signed in at once, as the token came by mail to this address; else a link is mailed. */
    response: success.extend({ confirmed: z.literal(true).optional() }),
    errors: ["captcha_failed", "sign_up_by_invitation", "sign_up_by_domain", "sign_up_closed"],
  }),
  resend: endpoint({
    method: "POST",
    path: "/api/auth/resend",
    summary: "Have the link that confirms a sign-up sent again; the answer is the same whether somebody waits for one or not",
    access: "public",
    limit: "mailLink",
    body: z.object({ email, captchaToken }),
    status: 200,
    response: success,
    errors: ["captcha_failed"],
  }),
  reset: endpoint({
    method: "POST",
    path: "/api/auth/reset",
    summary: "Have a link to choose a new password sent; the answer is the same whether the address is known or not",
    access: "public",
    limit: "mailLink",
    body: z.object({ email, captchaToken }),
    status: 200,
    response: success,
    errors: ["captcha_failed"],
  }),
  verify: endpoint({
    method: "POST",
    path: "/api/auth/verify",
    summary: "Spend a link from a mail and sign in",
    access: "public",
    limit: "credential",
    body: verifyInput,
    status: 200,
    response: z.object({
      success: z.literal(true),
      /** Null when a change of address waits for the link that was mailed to the other one: nobody is signed in by this one. */
      user: signedInUser.nullable(),
      /** The account was signed up in another browser, perhaps by somebody else: its password is gone, and a new one has to be chosen. */
      choosePassword: z.boolean(),
    }),
    errors: ["link_invalid"],
  }),
  undoEmailChange: endpoint({
    method: "POST",
    path: "/api/auth/undo-email-change",
    summary: "Undo a change of email address with the link that its old address got; every session ends, and the password has to be reset",
    access: "public",
    limit: "credential",
    body: z.object({ token: z.string({ error: "This link is invalid or has already been used." }).min(1).max(100) }),
    status: 200,
    /** `email` is the address that counts again. */
    response: z.object({ success: z.literal(true), email: z.string() }),
    errors: ["link_invalid"],
  }),
  logout: endpoint({
    method: "POST",
    path: "/api/auth/logout",
    summary: "End this session; a refusal says that it may go on, though the browser's cookies are gone",
    access: "public",
    status: 200,
    response: success,
    errors: ["unauthenticated", "unavailable"],
  }),
  config: endpoint({
    method: "GET",
    path: "/api/config",
    summary: "What the browser must know of this installation",
    access: "public",
    status: 200,
    response: z.object({
      supabaseKey: z.string(),
      /** host[:port] under which workspaces have their subdomains, e.g. localhost:3000. */
      host: z.string(),
      captchaSiteKey: z.string().nullable(),
      analyticsSrc: z.string().nullable(),
      oauthProviders: z.array(z.enum(oauthProviders)),
      /** Null while the database does not answer. */
      signUp: signUpOffer.nullable(),
    }),
  }),
} as const;
