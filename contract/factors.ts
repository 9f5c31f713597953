import { z } from "zod";
import { signedInUser } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { factorNameMaxLength } from "./limits.ts";

/** An authenticator app; unconfirmed until its first code is given. */
export const factor = z.object({ id, name: z.string(), created_at: time, is_confirmed: z.boolean() });
export type Factor = z.infer<typeof factor>;

export const secondFactor = z.object({
  factors: z.array(factor),
  recovery_codes_left: z.int(),
  /** Workspaces that can't be used without one. */
  required_by: z.array(z.object({ id, name: z.string() })),
  /** Workspaces that this session can't use, as they require single sign-on. */
  single_sign_on_required_by: z.array(z.object({ id, name: z.string(), is_owner: z.boolean() })),
});
export type SecondFactor = z.infer<typeof secondFactor>;

/** Six digits of an authenticator app, or a recovery code. Spaces and hyphens don't count. */
export const factorCodeInput = z.object({
  code: z
    .string({ error: "Enter a code" })
    .max(100, { error: "This code isn't valid" })
    .transform((code) => code.replace(/[\s-]/g, "").toLowerCase())
    .refine((code) => code !== "", { error: "Enter a code" }),
});

export const newFactorInput = z.object({ name: line("Enter a name", factorNameMaxLength).default("Authenticator app") });

const recoveryCodes = z.object({
  /** Shown once. Empty if the person has codes already. */
  recovery_codes: z.array(z.string()),
});

export const factorEndpoints = {
  list: endpoint("GET /api/account/factors", {
    summary: "List your authenticator apps",
    access: "signed-in",
    response: secondFactor,
  }),
  add: endpoint("POST /api/account/factors", {
    summary: "Add an authenticator app; it counts once its first code is verified",
    access: "signed-in",
    limit: "factorCode",
    body: newFactorInput,
    status: 201,
    /** `secret` in base32; `uri` for a QR code. */
    response: z.object({ factor: z.object({ id, secret: z.string(), uri: z.string() }) }),
    errors: ["too_many_factors"],
  }),
  verify: endpoint("POST /api/account/factors/{factorId}/verify", {
    summary: "Confirm an authenticator app with its first code; the first app also gives ten recovery codes",
    access: "signed-in",
    limit: "factorCode",
    body: factorCodeInput,
    response: recoveryCodes,
  }),
  remove: endpoint("DELETE /api/account/factors/{factorId}", {
    summary: "Remove an authenticator app",
    access: "signed-in",
    limit: "factorCode",
    body: factorCodeInput,
    response: success,
  }),
  renewRecoveryCodes: endpoint("POST /api/account/recovery-codes", {
    summary: "Replace your recovery codes",
    access: "signed-in",
    limit: "factorCode",
    body: factorCodeInput,
    response: recoveryCodes,
  }),
  signIn: endpoint("POST /api/auth/factor", {
    summary: "Complete a sign-in that answered `second_factor`",
    access: "signed-in",
    limit: "factorCode",
    body: factorCodeInput,
    response: z.object({ workspaceId: id.nullable(), user: signedInUser }),
  }),
} as const;

export const workspaceSecurity = z.object({
  require_second_factor: z.boolean(),
  /** Members who would lose access until they add one. */
  without_factor: z.array(z.object({ user_id: id, full_name: z.string() })),
  /** Other members with a second factor and an address at a verified email domain. `reset_at`: a requested reset is due then. */
  resettable: z.array(z.object({ user_id: id, full_name: z.string(), reset_at: time.nullable() })),
});
export type WorkspaceSecurity = z.infer<typeof workspaceSecurity>;

export const securityEndpoints = {
  read: endpoint("GET /api/workspaces/{workspaceId}/security", {
    summary: "Read a workspace's security settings",
    access: ["owner", "admin"],
    response: workspaceSecurity,
  }),
  save: endpoint("PUT /api/workspaces/{workspaceId}/security", {
    summary: "Require two-factor authentication of all members; yours must be on",
    access: ["owner"],
    body: workspaceSecurity.pick({ require_second_factor: true }),
    response: workspaceSecurity,
    errors: ["second_factor_required"],
  }),
  resetFactor: endpoint("POST /api/workspaces/{workspaceId}/security/factor-resets", {
    summary: "Reset a member's two-factor authentication after 24 hours, unless they object by email or give a code",
    access: ["owner"],
    body: z.object({ user_id: id }),
    response: workspaceSecurity,
  }),
} as const;
