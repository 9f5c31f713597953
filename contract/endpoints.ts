import { accessEndpoints } from "./access.ts";
import { addOnEndpoints } from "./add-ons.ts";
import { analyticsEndpoints } from "./analytics.ts";
import { apiKeyEndpoints, thisKeyEndpoints } from "./api-keys.ts";
import { appearanceEndpoints } from "./appearance.ts";
import { appearancePreviewEndpoints } from "./appearance-preview.ts";
import { auditEndpoints } from "./audit.ts";
import { authEndpoints } from "./auth.ts";
import { backupEndpoints } from "./backups.ts";
import { commentEndpoints } from "./comments.ts";
import { domainEndpoints } from "./domains.ts";
import { factorEndpoints, securityEndpoints } from "./factors.ts";
import { healthEndpoints } from "./health.ts";
import { houseStyleEndpoints } from "./house-style.ts";
import { importEndpoints } from "./imports.ts";
import { inviteEndpoints } from "./invites.ts";
import { jobEndpoints } from "./jobs.ts";
import { mailEventEndpoints } from "./mail-events.ts";
import { mcpEndpoints } from "./mcp/endpoint.ts";
import { assistantEndpoints, oauthEndpoints } from "./oauth.ts";
import { operatorEndpoints } from "./operator.ts";
import { openApiEndpoints } from "./openapi/endpoints.ts";
import { postEndpoints } from "./posts.ts";
import { previewLinkEndpoints } from "./preview-links.ts";
import { previewEndpoints } from "./previews.ts";
import { profileEndpoints } from "./profile.ts";
import { reportEndpoints } from "./reports.ts";
import { reviewEndpoints } from "./reviews.ts";
import { revisionEndpoints } from "./revisions.ts";
import { singleSignOnEndpoints } from "./single-sign-on.ts";
import { subscriberEndpoints } from "./subscribers.ts";
import { tagEndpoints } from "./tag-endpoints.ts";
import { teamEndpoints } from "./team.ts";
import { webhookEndpoints } from "./webhooks.ts";
import { templateEndpoints } from "./templates.ts";
import { v1AccessEndpoints } from "./v1/access.ts";
import { v1CommentEndpoints } from "./v1/comments.ts";
import { v1DomainEndpoints } from "./v1/domains.ts";
import { v1ExportEndpoints } from "./v1/exports.ts";
import { v1ImageEndpoints } from "./v1/images.ts";
import { v1PostEndpoints } from "./v1/posts.ts";
import { v1ReviewEndpoints } from "./v1/reviews.ts";
import { v1RevisionEndpoints } from "./v1/revisions.ts";
import { v1StatsEndpoints } from "./v1/stats.ts";
import { v1ReaderEndpoints } from "./v1/readers.ts";
import { v1SubscriberEndpoints } from "./v1/subscribers.ts";
import { v1TagEndpoints } from "./v1/tags.ts";
import { v1WebhookEndpoints } from "./v1/webhooks.ts";
import { widgetEndpoints } from "./widget-endpoints.ts";
import { exportEndpoints } from "./workspace-export.ts";
import { workspaceEndpoints } from "./workspaces.ts";

export const endpoints = {
  v1Posts: v1PostEndpoints,
  v1Revisions: v1RevisionEndpoints,
  v1Comments: v1CommentEndpoints,
  v1Reviews: v1ReviewEndpoints,
  v1Tags: v1TagEndpoints,
  v1Images: v1ImageEndpoints,
  v1Readers: v1ReaderEndpoints,
  v1Subscribers: v1SubscriberEndpoints,
  v1Stats: v1StatsEndpoints,
  v1Domains: v1DomainEndpoints,
  v1Access: v1AccessEndpoints,
  v1Exports: v1ExportEndpoints,
  v1Webhooks: v1WebhookEndpoints,
  auth: authEndpoints,
  factors: factorEndpoints,
  security: securityEndpoints,
  access: accessEndpoints,
  singleSignOn: singleSignOnEndpoints,
  profiles: profileEndpoints,
  workspaces: workspaceEndpoints,
  team: teamEndpoints,
  invites: inviteEndpoints,
  posts: postEndpoints,
  previews: previewEndpoints,
  previewLinks: previewLinkEndpoints,
  comments: commentEndpoints,
  revisions: revisionEndpoints,
  reviews: reviewEndpoints,
  tags: tagEndpoints,
  templates: templateEndpoints,
  houseStyle: houseStyleEndpoints,
  subscribers: subscriberEndpoints,
  webhooks: webhookEndpoints,
  widgetSettings: widgetEndpoints,
  appearance: appearanceEndpoints,
  appearancePreview: appearancePreviewEndpoints,
  reports: reportEndpoints,
  domains: domainEndpoints,
  addOns: addOnEndpoints,
  analytics: analyticsEndpoints,
  imports: importEndpoints,
  backups: backupEndpoints,
  exports: exportEndpoints,
  apiKeys: apiKeyEndpoints,
  thisKey: thisKeyEndpoints,
  mcp: mcpEndpoints,
  audit: auditEndpoints,
  oauth: oauthEndpoints,
  assistants: assistantEndpoints,
  operator: operatorEndpoints,
  openApi: openApiEndpoints,
  health: healthEndpoints,
  jobs: jobEndpoints,
  mailEvents: mailEventEndpoints,
} as const;
