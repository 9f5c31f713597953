import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { allowedOriginsPerWorkspace, jobTitleMaxLength, subdomainMaxLength, subdomainMinLength, workspaceNameMaxLength } from "./limits.ts";
import { postSummary } from "./posts.ts";
import { inAscii, parseWebsite, withScheme } from "./rules/website.ts";

const subdomainShape = `Please use ${subdomainMinLength} to ${subdomainMaxLength} letters, digits and hyphens, starting and ending with a letter or digit`;

/** 3–63 of a–z, 0–9 and inner hyphens. No punycode (xn--), which could imitate another name. Source: product decision 17. */
export const subdomain = z
  .string({ error: "Subdomain is required" })
  .trim()
  .min(1, { error: "Subdomain is required" })
  .toLowerCase()
  .regex(new RegExp(`^(?!xn--)[a-z0-9][a-z0-9-]{${subdomainMinLength - 2},${subdomainMaxLength - 2}}[a-z0-9]$`), { error: subdomainShape });

/** http or https with a top-level domain; https by default. Source: specification, section 5. */
export const website = z
  .string({ error: "Website URL is required" })
  .trim()
  .min(1, { error: "Website URL is required" })
  .max(2_048, { error: "Please enter a valid URL (e.g., https://example.com)" })
  .transform(withScheme)
  .refine((value) => parseWebsite(value) !== null, { error: "Please enter a valid URL (e.g., https://example.com)" })
  .transform(inAscii);

export const createWorkspaceInput = z.object({
  name: line("Business name is required", workspaceNameMaxLength),
  subdomain,
  origin: website,
  jobTitle: line("Your job title is required", jobTitleMaxLength),
});
export type CreateWorkspaceInput = z.infer<typeof createWorkspaceInput>;

const originSentence = "Please enter the URL of a site, such as https://example.com";

const originShape = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Origin where the widget is allowed: scheme, host and port; https by default. */
export const siteOrigin = z
  .string({ error: originSentence })
  .trim()
  .max(2_048, { error: originSentence })
  .toLowerCase()
  .transform((typed) => inAscii(withScheme(typed)))
  .refine((value) => originShape.test(value) && URL.canParse(value) && new URL(value).origin === value, { error: originSentence });

export const updateWorkspaceInput = z
  .object({
    name: line("Business name is required", workspaceNameMaxLength).optional(),
    origin: website.optional(),
    allowed_origins: z
      .array(siteOrigin)
      .max(allowedOriginsPerWorkspace, { error: `Please add at most ${allowedOriginsPerWorkspace} sites` })
      .transform((list) => [...new Set(list)])
      .optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), { error: "Nothing to change" });
export type UpdateWorkspaceInput = z.infer<typeof updateWorkspaceInput>;

/** `message`: the operator's, empty for none; `contact`: the operator's email address. */
export const suspension = z.object({ since: time, message: z.string(), contact: z.string().nullable() });
export type Suspension = z.infer<typeof suspension>;

export const workspace = z.object({
  id,
  name: z.string(),
  subdomain: z.string(),
  /** Custom domain that readers are redirected to; absent: none. */
  domain: z.string().optional(),
  origin: z.string().nullable(),
  allowed_origins: z.array(z.string()),
  logo_url: z.string().nullable(),
  public_changelog_enabled: z.boolean(),
  role: z.enum(roles),
  created_at: time,
  /** By the installation's operator: members read and export. Null: it isn't suspended. */
  suspension: suspension.nullable(),
});
export type Workspace = z.infer<typeof workspace>;

/** `kind` is a stable identifier; `title` the post's or person's name at that time. */
export const activity = z.object({
  id: z.string(),
  kind: z.string(),
  actor_name: z.string().nullable(),
  post_id: id.nullable(),
  title: z.string(),
  created_at: time,
});
export type Activity = z.infer<typeof activity>;

/**
 * Onboarding progress, derived from data: a post exists, the public page shows one, another site loaded the widget, someone was invited.
 */
export const firstSteps = z.object({ written: z.boolean(), readable: z.boolean(), installed: z.boolean(), invited: z.boolean() });
export type FirstSteps = z.infer<typeof firstSteps>;

/** Without archived posts. `views`: last 30 days, null without the analytics add-on. Source: product decisions 6 and 8. */
export const dashboard = z.object({
  recentPosts: z.array(postSummary),
  upcomingPosts: z.array(postSummary),
  count: z.int(),
  hasArchive: z.boolean(),
  creators: z.array(z.string()),
  views: z.int().nullable(),
  memberCount: z.int(),
  recentActivities: z.array(activity),
  public_changelog_enabled: z.boolean(),
  firstSteps,
});
export type Dashboard = z.infer<typeof dashboard>;

export const workspaceEndpoints = {
  create: endpoint("POST /api/workspaces/create", {
    summary: "Create a workspace; you become its owner",
    access: "signed-in",
    limit: "newWorkspace",
    idempotent: true,
    body: createWorkspaceInput,
    status: 201,
    response: z.object({ workspace }),
    errors: ["subdomain_taken", "subdomain_reserved"],
  }),
  list: endpoint("GET /api/workspaces", {
    summary: "List your workspaces by name",
    access: "signed-in",
    response: z.object({ workspaces: z.array(workspace) }),
  }),
  subdomainAvailable: endpoint("GET /api/workspaces/subdomain-available", {
    summary: "Check if a subdomain is available",
    access: "signed-in",
    limit: "search",
    query: z.object({ subdomain }),
    response: z.object({ available: z.boolean(), reason: z.enum(["subdomain_taken", "subdomain_reserved"]).nullable() }),
  }),
  update: endpoint("PATCH /api/workspaces/{workspaceId}", {
    summary: "Change the name, the website or the sites that can show the widget; absent fields stay",
    access: managers,
    body: updateWorkspaceInput,
    response: z.object({ workspace }),
  }),
  changeSubdomain: endpoint("POST /api/workspaces/{workspaceId}/subdomain", {
    summary: "Change the subdomain; the old one redirects for 30 days",
    access: ["owner"],
    limit: "newWorkspace",
    body: z.object({ subdomain }),
    response: z.object({ success: z.literal(true), subdomain: z.string() }),
    errors: ["subdomain_taken", "subdomain_reserved"],
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}", {
    summary: "Delete a workspace and everything in it; `name` confirms it",
    access: ["owner"],
    body: z.object({ name: line("Please type the workspace's name", workspaceNameMaxLength) }),
    response: success,
  }),
  uploadLogo: endpoint("POST /api/workspaces/{workspaceId}/logo", {
    summary: "Upload the logo: one PNG, JPEG, WebP or GIF under 5 MB",
    access: managers,
    limit: "upload",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), logo_url: z.string() }),
    errors: ["file_not_image"],
  }),
  removeLogo: endpoint("DELETE /api/workspaces/{workspaceId}/logo", {
    summary: "Remove the logo; initials are shown instead",
    access: managers,
    response: success,
  }),
  dashboard: endpoint("GET /api/dashboard/{workspaceId}/all", {
    summary: "Read everything the dashboard shows",
    access: roles,
    response: dashboard,
  }),
  togglePublicChangelog: endpoint("POST /api/public/changelog/toggle", {
    summary: "Turn the public changelog on or off",
    access: ["owner"],
    body: z.object({ isPublic: z.boolean({ error: "isPublic must be true or false" }), workspaceId: id }),
    response: z.object({ enabled: z.boolean() }),
  }),
  role: endpoint("GET /api/team/role/{workspaceId}", {
    summary: "Read your role",
    access: roles,
    response: z.object({ role: z.enum(roles) }),
  }),
} as const;
