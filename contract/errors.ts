import { factorsPerPerson } from "./limits.ts";

/**
 * Error code → HTTP status and message. Handlers never write their own message; SQL raises with `hint = code` and the same message. Source:
 * specification, sections 4, 5 and 8; architecture, "Security model".
 */
export const errorCatalogue = {
  invalid_address: { status: 400, sentence: "This URL isn't valid." },
  invalid_precondition: { status: 400, sentence: 'If-Match must be an ETag from a response, or a version such as "v7".' },
  unauthenticated: { status: 401, sentence: "Please sign in to continue." },
  invalid_credentials: { status: 401, sentence: "The email address or password is incorrect." },
  email_not_confirmed: { status: 403, sentence: "Please confirm your email address first. The link is in your inbox." },
  second_factor_required: { status: 403, sentence: "Two-factor authentication is required here." },
  single_sign_on_required: { status: 403, sentence: "Sign in with single sign-on to open this workspace." },
  single_sign_on_refused: { status: 403, sentence: "This account can't join the workspace. Ask its owner for an invitation." },
  forbidden: { status: 403, sentence: "Your role in this workspace doesn't allow this." },
  workspace_suspended: { status: 403, sentence: "This workspace is suspended. You can read and export it, but not change it." },
  scope_missing: { status: 403, sentence: "This API key isn't allowed to do this." },
  add_on_required: { status: 403, sentence: "This workspace doesn't have the required add-on." },
  sign_up_by_invitation: { status: 403, sentence: "Sign-up is by invitation." },
  sign_up_by_domain: { status: 403, sentence: "Sign-up isn't open to email addresses at this domain." },
  sign_up_closed: { status: 403, sentence: "Sign-up is closed." },
  cross_origin: { status: 403, sentence: "This request didn't come from the product's own pages." },
  not_found: { status: 404, sentence: "Not found, or you don't have access." },
  method_not_allowed: { status: 405, sentence: "This URL doesn't support that method." },
  request_timeout: { status: 408, sentence: "The request was incomplete. Please try again." },
  subdomain_taken: { status: 409, sentence: "This subdomain is already taken." },
  subdomain_reserved: { status: 409, sentence: "This subdomain is reserved. Please choose another one." },
  domain_taken: { status: 409, sentence: "Another workspace already uses this domain." },
  slug_taken: { status: 409, sentence: "Another post in this workspace already uses this URL." },
  version_conflict: { status: 409, sentence: "Post updated elsewhere" },
  published_post_locked: { status: 409, sentence: "Published posts cannot be scheduled or moved back to draft status" },
  archived_post_locked: { status: 409, sentence: "This post is archived. Restore it before you change it." },
  review_required: { status: 409, sentence: "A second person has to approve posts before readers see them. Ask for approval first." },
  own_review: { status: 409, sentence: "You can't approve your own post." },
  review_over: { status: 409, sentence: "This has already been decided." },
  template_name_taken: { status: 409, sentence: "Another template already has this name." },
  too_many_templates: { status: 409, sentence: "A workspace can have 100 templates. Delete one first." },
  already_member: { status: 409, sentence: "This person is already a member of the workspace." },
  too_many_webhooks: { status: 409, sentence: "A workspace can have 100 webhooks. Delete one first." },
  webhook_off: { status: 409, sentence: "This webhook is off. Turn it on first." },
  oauth_request_invalid: {
    status: 409,
    sentence: "This request has changed. Reconnect from your assistant.",
  },
  too_many_assistants: { status: 409, sentence: "You've reached the limit of connected assistants. Disconnect one first." },
  too_many_factors: { status: 409, sentence: `You can have ${factorsPerPerson} authenticator apps. Remove one first.` },
  import_over: { status: 409, sentence: "This import was undone. Start a new one." },
  owner_required: { status: 409, sentence: "Transfer ownership to another member first." },
  invalid_invitation: { status: 404, sentence: "This invitation link is invalid or has expired." },
  wrong_invitation_account: { status: 403, sentence: "This invitation was sent to another email address." },
  captcha_failed: { status: 422, sentence: "The bot check failed. Please try again." },
  provider_unavailable: { status: 404, sentence: "Signing in with this provider isn't set up here." },
  reader_access_required: { status: 403, sentence: "This changelog is private." },
  single_sign_on_unavailable: { status: 404, sentence: "Single sign-on isn't set up for this email address." },
  saml_unavailable: {
    status: 403,
    sentence: "SAML isn't available, as this installation's auth service doesn't have it. Use OpenID Connect.",
  },
  single_sign_on_failed: { status: 403, sentence: "Single sign-on failed. Try again, or ask your administrator." },
  changelog_unavailable: { status: 410, sentence: "This changelog isn't available." },
  link_invalid: { status: 410, sentence: "This link is invalid or has already been used." },
  body_too_large: { status: 413, sentence: "Your request is too large." },
  unsupported_media_type: { status: 415, sentence: "This content type isn't supported." },
  file_not_image: { status: 415, sentence: "Please select an image file" },
  validation_failed: { status: 422, sentence: "Please check the highlighted fields." },
  invalid_json: { status: 422, sentence: "The request isn't valid JSON." },
  rate_limited: { status: 429, sentence: "Too many attempts. Please wait a moment and try again." },
  internal: { status: 500, sentence: "Something went wrong on our side. Nothing you wrote is lost." },
  storage_full: { status: 507, sentence: "There's no space left on this server. Tell your administrator, and try again later." },
  unavailable: { status: 503, sentence: "The service is starting or busy. Please try again in a moment." },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Every error response. `request_id` only on `internal`, `conflict` on `version_conflict`, `scope` (missing) on `scope_missing`. */
export interface ErrorBody {
  error: string;
  code: string;
  fields?: Record<string, string>;
  request_id?: string;
  conflict?: { version: number; updated_at: string; updated_by_name: string };
  scope?: string;
}

/** The same error as RFC 9457 has it. `title` is the same for a code, `detail` says more about this occurrence. */
export interface Problem extends ErrorBody {
  type: string;
  title: string;
  status: number;
  detail: string;
}

/** `origin` is this installation's URL. */
export function asProblem(body: ErrorBody, code: ErrorCode, origin: string): Problem {
  const { status, sentence } = errorCatalogue[code];
  const title = code === "unauthenticated" ? "Credentials are missing or invalid." : sentence; // programs have keys, people sign in
  const detail = Object.values(body.fields ?? {})[0] ?? body.error;
  return { type: `${origin}/developers#${code}`, title, status, detail, ...body };
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorCatalogue, value);
}
