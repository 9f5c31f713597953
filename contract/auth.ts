import { z } from "zod";
import { id, line, success } from "./fields.ts";
import { endpoint } from "./endpoint.ts";
import { emailLocalPartMaxLength, emailMaxLength, fullNameMaxLength, passwordMaxLength, passwordMinLength } from "./limits.ts";

/** The cookie of the session, written by @supabase/ssr on either side; longer ones are cut into `tc-auth.0`, `tc-auth.1` … */
export const sessionCookie = "tc-auth";
/** Present (value "0") while "Remember me" was off: whoever writes the session cookie then leaves Max-Age and Expires out. */
export const rememberCookie = "tc-remember";

const emailSentence = "Please enter a valid e-mail address";

/** An e-mail address: at most 254 characters, local part at most 64; lower-cased. Source: specification, section 5. */
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
const captchaToken = z.string().max(4_096).optional();

export const fullName = line("Full name is required", fullNameMaxLength);

export const loginInput = z.object({
  email,
  password,
  provider: z.literal("email").optional(),
  captchaToken,
  /** Off: the session ends with the browser. */
  remember: z.boolean().default(true),
});
export type LoginInput = z.input<typeof loginInput>;

export const signupInput = z.object({
  email,
  password: newPassword,
  fullName,
  /** Kept with the account to prefill onboarding; absent when the person joins by invitation. */
  companyName: z.string().trim().max(120).optional(),
  /** An invitation token, remembered until the address is confirmed. */
  token: z.string().max(200).optional(),
  captchaToken,
});
export type SignupInput = z.input<typeof signupInput>;

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
    summary: "Sign in with e-mail and password",
    access: "public",
    body: loginInput,
    status: 200,
    response: z.object({ workspaceId: id.nullable(), user: signedInUser }),
    errors: ["invalid_credentials", "email_not_confirmed"],
  }),
  signup: endpoint({
    method: "POST",
    path: "/api/auth/signup",
    summary: "Sign up; the answer is the same whether the address is known or not",
    access: "public",
    body: signupInput,
    status: 201,
    response: success,
  }),
  verify: endpoint({
    method: "POST",
    path: "/api/auth/verify",
    summary: "Spend a link from a mail and sign in",
    access: "public",
    body: verifyInput,
    status: 200,
    response: z.object({ success: z.literal(true), user: signedInUser }),
    errors: ["link_invalid"],
  }),
  logout: endpoint({
    method: "POST",
    path: "/api/auth/logout",
    summary: "End this session",
    access: "public",
    status: 200,
    response: success,
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
      oauthProviders: z.array(z.enum(["google", "github"])),
    }),
  }),
} as const;
