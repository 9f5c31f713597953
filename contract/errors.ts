/**
 * Every way a call can be refused: stable code → HTTP status and the sentence a person reads.
 * A handler never writes its own sentence; the database raises with `hint = code` and its sentence stands here too.
 * Source: specification, sections 4, 5 and 8; architecture, "Security model".
 */
export const errorCatalogue = {
  invalid_address: { status: 400, sentence: "This address cannot be read." },
  invalid_precondition: { status: 400, sentence: 'If-Match must be the ETag of an answer, or a version such as "v7".' },
  unauthenticated: { status: 401, sentence: "Please sign in to continue." },
  invalid_credentials: { status: 401, sentence: "The email address or the password is not correct." },
  email_not_confirmed: { status: 403, sentence: "Please confirm your email address first. The link is in your inbox." },
  forbidden: { status: 403, sentence: "Your role in this workspace does not allow this." },
  scope_missing: { status: 403, sentence: "This API key is not allowed to do this." },
  add_on_required: { status: 403, sentence: "This workspace does not have the add-on that this needs." },
  sign_up_by_invitation: { status: 403, sentence: "Sign-up is by invitation." },
  sign_up_by_domain: { status: 403, sentence: "Sign-up isn't open to email addresses at this domain." },
  sign_up_closed: { status: 403, sentence: "Sign-up is closed." },
  cross_origin: { status: 403, sentence: "This request did not come from the product's own pages." },
  not_found: { status: 404, sentence: "This does not exist, or you have no access to it." },
  method_not_allowed: { status: 405, sentence: "This address does not take that method." },
  request_timeout: { status: 408, sentence: "The request did not arrive in full. Please try again." },
  subdomain_taken: { status: 409, sentence: "This subdomain is already taken." },
  subdomain_reserved: { status: 409, sentence: "This subdomain is reserved. Please choose another one." },
  domain_taken: { status: 409, sentence: "Another workspace uses this name already." },
  slug_taken: { status: 409, sentence: "Another post of this workspace already has this address." },
  version_conflict: { status: 409, sentence: "Post updated elsewhere" },
  published_post_locked: { status: 409, sentence: "Published posts cannot be scheduled or moved back to draft status" },
  archived_post_locked: { status: 409, sentence: "This post is archived. Restore it before you change it." },
  review_required: { status: 409, sentence: "A second person approves posts here before readers see them. Ask for approval first." },
  own_review: { status: 409, sentence: "Somebody else approves this: you have written it, or asked for it." },
  review_over: { status: 409, sentence: "This has been decided already." },
  template_name_taken: { status: 409, sentence: "Another template has this name already." },
  too_many_templates: { status: 409, sentence: "A workspace can have 100 templates. Delete one first." },
  already_member: { status: 409, sentence: "This person is already a member of the workspace." },
  too_many_webhooks: { status: 409, sentence: "A workspace can have 100 webhooks. Delete one first." },
  webhook_off: { status: 409, sentence: "This webhook is switched off. Switch it on first." },
  oauth_request_invalid: {
    status: 409,
    sentence: "What this assistant asks for has changed meanwhile. Go back to it and connect once more.",
  },
  too_many_assistants: { status: 409, sentence: "You have as many assistants connected here as one person can have. End one first." },
  import_over: { status: 409, sentence: "This import was taken back. Begin a new one." },
  owner_required: { status: 409, sentence: "Hand ownership over to another member first." },
  invalid_invitation: { status: 404, sentence: "This invitation link is invalid or has expired." },
  wrong_invitation_account: { status: 403, sentence: "This invitation was sent to another email address." },
  captcha_failed: { status: 422, sentence: "The bot check did not succeed. Please try again." },
  provider_unavailable: { status: 404, sentence: "Signing in with this provider is not set up here." },
  link_invalid: { status: 410, sentence: "This link is invalid or has already been used." },
  body_too_large: { status: 413, sentence: "What you sent is too large." },
  unsupported_media_type: { status: 415, sentence: "This kind of content is not accepted here." },
  file_not_image: { status: 415, sentence: "Please select an image file" },
  validation_failed: { status: 422, sentence: "Please check the highlighted fields." },
  invalid_json: { status: 422, sentence: "The request is not valid JSON." },
  rate_limited: { status: 429, sentence: "Too many attempts. Please wait a moment and try again." },
  internal: { status: 500, sentence: "Something went wrong on our side. Nothing you wrote is lost." },
  storage_full: { status: 507, sentence: "There's no space left on this server. Tell your administrator, and try again later." },
  unavailable: { status: 503, sentence: "The service is starting or busy. Please try again in a moment." },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The body of every refusal (as a schema: error-body.ts). `request_id` only on `internal`; `conflict` only on `version_conflict`, `scope` (what the key lacks) only on `scope_missing`. */
export interface ErrorBody {
  error: string;
  code: string;
  fields?: Record<string, string>;
  request_id?: string;
  conflict?: { version: number; updated_at: string; updated_by_name: string };
  scope?: string;
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorCatalogue, value);
}
