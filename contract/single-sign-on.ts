import { z } from "zod";
import { email, signedInUser } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { factorCodeInput } from "./factors.ts";
import { id, line, success, time } from "./fields.ts";
import { clientIdMaxLength, issuerMaxLength, samlMetadataMaxLength } from "./limits.ts";

/** The role of people who join by signing in. Source: product decision 2: owners and admins are invited. */
export const joinRoles = ["viewer", "editor"] as const;
export type JoinRole = (typeof joinRoles)[number];

const identityProvider = z.object({
  kind: z.enum(["oidc", "saml"]),
  /** SAML: the entity ID. */
  issuer: z.string(),
  /** SAML: of the auth service. */
  client_id: z.string(),
  /** null: only members can sign in. */
  join_as: z.enum(joinRoles).nullable(),
  is_on: z.boolean(),
  /** Sessions not made by this provider can't use the workspace. */
  is_required: z.boolean(),
  tested_at: time.nullable(),
});
export type IdentityProvider = z.infer<typeof identityProvider>;

const emailDomain = z.object({
  domain: z.string(),
  /** The TXT record that proves it. */
  record: z.object({ name: z.string(), value: z.string() }),
  is_proven: z.boolean(),
  /** The record of a proven domain is gone since; after three days the domain is no longer proven. */
  missing_since: time.nullable(),
});
export type EmailDomain = z.infer<typeof emailDomain>;

const singleSignOn = z.object({
  provider: identityProvider.nullable(),
  /** To enter at an OpenID Connect provider. */
  redirect_uri: z.string(),
  /** To enter at a SAML provider. null: the auth service has no SAML. */
  saml: z.object({ entity_id: z.string(), acs_url: z.string() }).nullable(),
  domains: z.array(emailDomain),
  /** People with an address at a proven domain join as viewers when they sign in. */
  join_by_domain: z.boolean(),
});
export type SingleSignOn = z.infer<typeof singleSignOn>;

const choices = { join_as: z.enum(joinRoles).nullable(), is_on: z.boolean(), is_required: z.boolean() };

export const openIdInput = z.object({
  kind: z.literal("oidc"),
  issuer: line("Enter the issuer", issuerMaxLength),
  client_id: line("Enter the client ID", clientIdMaxLength),
  /** Absent: unchanged. */
  client_secret: z.string().trim().min(1).max(500, { error: "Please use at most 500 characters" }).optional(),
  ...choices,
});

const metadataSentence = "Enter the metadata's URL or XML";
export const samlInput = z.object({
  kind: z.literal("saml"),
  /** A URL, which is read once, or XML. Absent: unchanged. */
  metadata: z.string({ error: metadataSentence }).trim().min(1, { error: metadataSentence }).max(samlMetadataMaxLength).optional(),
  ...choices,
});

const settings = "/api/workspaces/{workspaceId}";
const domainSentence = "Enter a domain such as example.com";
const oneDomain = z.object({ workspaceId: id, domain: z.string().max(253) });

export const singleSignOnEndpoints = {
  begin: endpoint("POST /api/auth/single-sign-on", {
    summary: "Start single sign-on; the response depends on the address's domain alone, not on whether an account exists",
    access: "public",
    limit: "credential",
    body: z.object({ email, next: z.string().max(2_048).optional() }),
    response: z.object({ url: z.string() }),
    errors: ["single_sign_on_unavailable", "single_sign_on_failed"],
  }),
  finish: endpoint("POST /api/auth/single-sign-on/callback", {
    summary: "Complete single sign-on with the query that the provider returned to /auth/callback",
    access: "public",
    limit: "credential",
    body: z.object({ query: z.string().max(8_192) }),
    /** `test`: it was a test of this workspace's settings, and no one was signed in. */
    response: z.object({
      workspaceId: id.nullable(),
      user: signedInUser.nullable(),
      second_factor: z.literal(true).optional(),
      next: z.string().nullable(),
      test: z.object({ problem: z.string().nullable() }).optional(),
    }),
    errors: ["single_sign_on_unavailable", "single_sign_on_failed", "single_sign_on_refused"],
  }),
  read: endpoint(`GET ${settings}/identity-provider`, {
    summary: "Read a workspace's single sign-on settings",
    access: ["owner", "admin"],
    response: singleSignOn,
  }),
  save: endpoint(`PUT ${settings}/identity-provider`, {
    summary: "Set a workspace's identity provider, by OpenID Connect or SAML; another one turns it off until a new test (add-on sso)",
    access: ["owner"],
    body: z.discriminatedUnion("kind", [openIdInput, samlInput]),
    /** `break_glass_code`: shown once, when single sign-on becomes required; else null. */
    response: singleSignOn.extend({ break_glass_code: z.string().nullable() }),
    errors: ["add_on_required", "saml_unavailable"],
  }),
  remove: endpoint(`DELETE ${settings}/identity-provider`, {
    summary: "Remove a workspace's identity provider; single sign-on is no longer required",
    access: ["owner"],
    response: success,
  }),
  test: endpoint(`POST ${settings}/identity-provider/test`, {
    summary: "Start a test sign-in, which must succeed before the provider can be turned on",
    access: ["owner"],
    response: z.object({ url: z.string() }),
    errors: ["add_on_required", "single_sign_on_failed"],
  }),
  breakGlass: endpoint(`POST ${settings}/identity-provider/break-glass`, {
    summary: "Stop requiring single sign-on, with the owner's break-glass code",
    access: ["owner"],
    limit: "factorCode",
    body: factorCodeInput,
    response: success,
  }),
  addDomain: endpoint(`POST ${settings}/email-domains`, {
    summary: "Add an email domain; the response has the TXT record that proves it",
    access: ["owner"],
    body: z.object({
      domain: z.string({ error: domainSentence }).trim().min(1, { error: domainSentence }).max(253, { error: domainSentence }),
    }),
    status: 201,
    response: singleSignOn,
  }),
  checkDomain: endpoint(`POST ${settings}/email-domains/{domain}/check`, {
    summary: "Look up an email domain's TXT record now",
    access: ["owner"],
    params: oneDomain,
    response: singleSignOn,
    errors: ["domain_taken"],
  }),
  removeDomain: endpoint(`DELETE ${settings}/email-domains/{domain}`, {
    summary: "Remove an email domain",
    access: ["owner"],
    params: oneDomain,
    response: success,
  }),
  saveJoining: endpoint(`PUT ${settings}/email-domains`, {
    summary: "Let people of the proven domains join as viewers when they sign in",
    access: ["owner"],
    body: singleSignOn.pick({ join_by_domain: true }),
    response: singleSignOn,
  }),
} as const;
