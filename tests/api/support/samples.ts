import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { type Endpoint, isForKeys } from "#contract/endpoint.ts";
import { address } from "../../../web/lib/api-client.ts";
import type { Answer, Client, Options } from "./client.ts";
import { pictures } from "./images.ts";
import { newSubdomain, paragraph } from "./people.ts";

export interface Place {
  workspaceId: string;
  postId: string;
  memberId: string;
  inviteId: string;
  linkId: string;
  subscriberId: string;
  keyId: string;
  assistantId: string;
  webhookId: string;
  deliveryId: string;
  recipientId: string;
  importId: string;
  livePostId: string;
  reviewId: string;
  proposalId: string;
  templateId: string;
  threadId: string;
  commentId: string;
  token: string;
}

export interface Sample {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

const importedEntry = (version: string) => ({
  ...{ external_id: version, fingerprint: "0".repeat(64), title: `Version ${version}`, blocks: paragraph("Faster search.") },
  ...{ status: "published", published_at: "2020-01-02T03:04:05Z", tags: ["Fixed"], author: "Grace", old_urls: ["https://old.example/v1"] },
});

const sampleProposal = {
  ...{ version: 1, title: "Proposed", summary: null, tags: ["sample"], note: "A word was missing." },
  content_raw: JSON.stringify(paragraph("Proposed words.")),
};
const sampleText = { title: "What is new", content_raw: JSON.stringify({ blocks: paragraph("New this month:") }) };

const sampleLook = {
  ...{ accent: "#ff5a5f", theme: "dark", layout: "excerpts", font: "geist", date_format: "iso", locale: "de", branding: false },
  ...{ links: [{ label: "Docs", url: "https://docs.example/" }], footer: "© Acme" },
};

export const samples: Record<string, (place: Place) => Sample> = {
  "auth.login": () => ({ body: { email: `${randomUUID()}@example.com`, password: "a password" } }),
  "auth.callback": () => ({ body: { code: "a code" } }),
  "auth.signup": () => ({ body: { email: `${randomUUID()}@example.com`, password: "a password", fullName: "Ada" } }),
  "auth.reset": () => ({ body: { email: `${randomUUID()}@example.com` } }),
  "auth.resend": () => ({ body: { email: `${randomUUID()}@example.com` } }),
  "auth.verify": () => ({ body: { token_hash: "a token", type: "signup" } }),
  "auth.undoEmailChange": () => ({ body: { token: "a token" } }),
  "auth.undoChange": () => ({ body: { token: "a token" } }),
  "factors.list": () => ({}),
  "factors.add": () => ({ body: { name: "Phone" } }),
  "factors.verify": () => ({ params: { factorId: randomUUID() }, body: { code: "123456" } }),
  "factors.remove": () => ({ params: { factorId: randomUUID() }, body: { code: "123456" } }),
  "factors.renewRecoveryCodes": () => ({ body: { code: "123456" } }),
  "factors.signIn": () => ({ body: { code: "123456" } }),
  "security.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "security.save": ({ workspaceId }) => ({ params: { workspaceId }, body: { require_second_factor: false } }),
  "access.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "access.save": ({ workspaceId }) => ({ params: { workspaceId }, body: { access: "public" } }),
  "access.enter": ({ workspaceId }) => ({ params: { workspaceId } }),
  "security.resetFactor": ({ workspaceId }) => ({ params: { workspaceId }, body: { user_id: randomUUID() } }),
  "singleSignOn.begin": () => ({ body: { email: `${randomUUID()}@example.com` } }),
  "singleSignOn.finish": () => ({ body: { query: "code=a&state=b" } }),
  "singleSignOn.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "singleSignOn.save": ({ workspaceId }) => ({
    params: { workspaceId },
    body: {
      ...{ kind: "oidc", issuer: "https://login.example.com", client_id: "tidings", client_secret: "secret" },
      ...{ join_as: "viewer", is_on: false, is_required: false },
    },
  }),
  "singleSignOn.remove": ({ workspaceId }) => ({ params: { workspaceId } }),
  "singleSignOn.test": ({ workspaceId }) => ({ params: { workspaceId } }),
  "singleSignOn.breakGlass": ({ workspaceId }) => ({ params: { workspaceId }, body: { code: "aaaa-bbbb-cccc-dddd" } }),
  "singleSignOn.addDomain": ({ workspaceId }) => ({ params: { workspaceId }, body: { domain: "example.com" } }),
  "singleSignOn.checkDomain": ({ workspaceId }) => ({ params: { workspaceId, domain: "example.com" } }),
  "singleSignOn.removeDomain": ({ workspaceId }) => ({ params: { workspaceId, domain: "example.com" } }),
  "singleSignOn.saveJoining": ({ workspaceId }) => ({ params: { workspaceId }, body: { join_by_domain: true } }),
  "operator.overview": () => ({}),
  "operator.workspaces": () => ({}),
  "operator.people": () => ({}),
  "operator.sendSignUpLink": () => ({ params: { userId: randomUUID() } }),
  "operator.removeFactors": () => ({ params: { userId: randomUUID() } }),
  "operator.suspend": ({ workspaceId }) => ({ params: { workspaceId }, body: {} }),
  "operator.resume": ({ workspaceId }) => ({ params: { workspaceId } }),
  "operator.grantAddOn": ({ workspaceId }) => ({ params: { workspaceId }, body: { add_on: "analytics" } }),
  "profiles.me": () => ({}),
  "profiles.update": () => ({ body: { fullName: "Ada King" } }),
  "profiles.emails": () => ({}),
  "profiles.setEmails": () => ({ body: { muted: ["mentioned"] } }),
  "profiles.uploadAvatar": () => ({}),
  "profiles.removeAvatar": () => ({}),
  "profiles.sessions": () => ({}),
  "profiles.endSession": () => ({ params: { sessionId: randomUUID() } }),
  "profiles.endOtherSessions": () => ({}),
  "profiles.changeEmail": () => ({ body: { email: `${randomUUID()}@example.com`, password: "a password" } }),
  "profiles.changePassword": () => ({ body: { password: "a quite new password", currentPassword: "a password" } }),
  "profiles.remove": () => ({ body: { password: "a password" } }),
  "profiles.access": () => ({ query: { since: "2026-01-01T00:00:00Z" } }),
  "profiles.endAccess": () => ({ query: { since: "2026-01-01T00:00:00Z" } }),
  "workspaces.create": () => ({ body: { name: "Beta", subdomain: newSubdomain(), origin: "https://beta.example", jobTitle: "Engineer" } }),
  "workspaces.list": () => ({}),
  "workspaces.subdomainAvailable": () => ({ query: { subdomain: newSubdomain() } }),
  "workspaces.update": ({ workspaceId }) => ({ params: { workspaceId }, body: { name: "Renamed" } }),
  "workspaces.changeSubdomain": ({ workspaceId }) => ({ params: { workspaceId }, body: { subdomain: newSubdomain() } }),
  "workspaces.remove": ({ workspaceId }) => ({ params: { workspaceId }, body: { name: "Acme" } }),
  "workspaces.uploadLogo": ({ workspaceId }) => ({ params: { workspaceId } }),
  "workspaces.removeLogo": ({ workspaceId }) => ({ params: { workspaceId } }),
  "workspaces.dashboard": ({ workspaceId }) => ({ params: { workspaceId } }),
  "workspaces.togglePublicChangelog": ({ workspaceId }) => ({ body: { isPublic: true, workspaceId } }),
  "workspaces.role": ({ workspaceId }) => ({ params: { workspaceId } }),
  "team.account": ({ workspaceId }) => ({ params: { workspaceId } }),
  "team.role": ({ workspaceId }) => ({ params: { id: workspaceId } }),
  "team.members": ({ workspaceId }) => ({ params: { id: workspaceId } }),
  "team.setRole": ({ workspaceId, memberId }) => ({ params: { id: workspaceId, memberId }, body: { role: "viewer" } }),
  "team.removeMember": ({ workspaceId, memberId }) => ({ params: { id: workspaceId, memberId } }),
  "team.leave": ({ workspaceId }) => ({ params: { id: workspaceId } }),
  "team.handOver": ({ workspaceId, memberId }) => ({ params: { id: workspaceId }, body: { memberId } }),
  "invites.create": ({ workspaceId }) => ({ params: { accountId: workspaceId }, body: { role: "viewer" } }),
  "invites.createMany": ({ workspaceId }) => ({ params: { accountId: workspaceId }, body: { emails: ["new@acme.example"] } }),
  "invites.createLink": ({ workspaceId }) => ({ params: { accountId: workspaceId }, body: { role: "viewer", workspaceId } }),
  "invites.list": ({ workspaceId }) => ({ params: { accountId: workspaceId } }),
  "invites.setRole": ({ workspaceId, inviteId }) => ({ params: { accountId: workspaceId, inviteId }, body: { role: "editor" } }),
  "invites.revoke": ({ workspaceId, inviteId }) => ({ params: { accountId: workspaceId, inviteId } }),
  "invites.accept": ({ token }) => ({ params: { token } }),
  "invites.join": ({ token }) => ({ body: { token } }),
  "invites.joinSession": ({ token }) => ({ body: { token } }),
  "posts.create": ({ workspaceId }) => ({ body: { title: "Sample", blocks: paragraph("Sample words."), workspace_id: workspaceId } }),
  "posts.update": ({ postId }) => ({ params: { id: postId }, body: { title: "Changed title" } }),
  "posts.read": ({ postId }) => ({ params: { id: postId } }),
  "posts.remove": ({ postId }) => ({ params: { id: postId } }),
  "posts.restore": ({ postId }) => ({ params: { id: postId } }),
  "posts.linkRequests": ({ postId }) => ({ params: { id: postId }, body: { add: ["https://github.com/acme/app/issues/12"] } }),
  "posts.version": ({ postId }) => ({ params: { id: postId }, query: { version: 1 } }),
  "posts.list": ({ workspaceId }) => ({
    params: { workspaceId },
    query: { page: 1, limit: 5, status: "draft", q: "hello", owner: "Edda Editor", sort: "most_viewed_last_month", tag: "sample" },
  }),
  "posts.search": ({ workspaceId }) => ({ params: { workspaceId }, query: { q: "words" } }),
  "posts.upcoming": ({ workspaceId }) => ({ query: { workspaceId } }),
  "posts.uploadImage": ({ workspaceId }) => ({ params: { workspaceId } }),
  "posts.copyImage": ({ workspaceId }) => ({ params: { workspaceId }, body: { url: "https://nowhere.invalid/a.png" } }),
  "posts.authors": ({ workspaceId }) => ({ params: { workspaceId } }),
  "previews.post": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { title: "Sample", blocks: paragraph("Sample words.") },
  }),
  "previews.testEmail": ({ workspaceId }) => ({ params: { workspaceId }, body: { title: "Sample", blocks: paragraph("Sample words.") } }),
  "previews.picture": ({ workspaceId }) => ({ params: { workspaceId }, query: { title: "Sample" } }),
  "previewLinks.list": ({ postId }) => ({ params: { id: postId } }),
  "previewLinks.create": ({ postId }) => ({ params: { id: postId }, body: { days: 3, allows_comments: true } }),
  "previewLinks.revoke": ({ postId, linkId }) => ({ params: { id: postId, linkId } }),
  "comments.list": ({ postId }) => ({ params: { id: postId } }),
  "comments.begin": ({ postId }) => ({ params: { id: postId }, body: { text: "Is this so?", block_id: null, mentions: [] } }),
  "comments.reply": ({ postId, threadId }) => ({ params: { id: postId, threadId }, body: { text: "It is." } }),
  "comments.settle": ({ postId, threadId }) => ({ params: { id: postId, threadId }, body: { resolved: true } }),
  "comments.edit": ({ postId, threadId, commentId }) => ({
    params: { id: postId, threadId, commentId },
    body: { text: "Is this really so?" },
  }),
  "comments.remove": ({ postId, threadId, commentId }) => ({ params: { id: postId, threadId, commentId } }),
  "revisions.list": ({ postId }) => ({ params: { id: postId } }),
  "revisions.read": ({ postId }) => ({ params: { id: postId, version: "1" } }),
  "revisions.restore": ({ postId }) => ({ params: { id: postId, version: "1" } }),
  "reviews.rule": ({ workspaceId }) => ({ params: { workspaceId } }),
  "reviews.setRule": ({ workspaceId }) => ({ params: { workspaceId }, body: { rule: "editors" } }),
  "reviews.waiting": ({ workspaceId }) => ({ params: { workspaceId } }),
  "reviews.standing": ({ postId }) => ({ params: { id: postId } }),
  "reviews.ask": ({ postId }) => ({
    params: { id: postId },
    body: { version: 1, publish_at: "2030-01-31T09:00:00Z", note: "Please look." },
  }),
  "reviews.decide": ({ postId, reviewId }) => ({
    params: { id: postId, reviewId },
    body: { version: 1, decision: "approve", note: "Fine." },
  }),
  "reviews.withdraw": ({ postId, reviewId }) => ({ params: { id: postId, reviewId } }),
  "reviews.propose": ({ livePostId }) => ({ params: { id: livePostId }, body: sampleProposal }),
  "reviews.proposal": ({ livePostId, proposalId }) => ({ params: { id: livePostId, proposalId } }),
  "reviews.changeProposal": ({ livePostId, proposalId }) => ({ params: { id: livePostId, proposalId }, body: sampleProposal }),
  "reviews.decideProposal": ({ livePostId, proposalId }) => ({
    params: { id: livePostId, proposalId },
    body: { decision: "refuse", note: "Not yet." },
  }),
  "reviews.withdrawProposal": ({ livePostId, proposalId }) => ({ params: { id: livePostId, proposalId } }),
  "tags.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "tags.change": ({ workspaceId }) => ({ params: { workspaceId }, query: { key: "sample" }, body: { label: "Example", colour: "green" } }),
  "tags.merge": ({ workspaceId }) => ({ params: { workspaceId }, body: { key: "sample", into: "docs" } }),
  "tags.remove": ({ workspaceId }) => ({ params: { workspaceId }, query: { key: "sample" } }),
  "templates.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "templates.read": ({ workspaceId, templateId }) => ({ params: { workspaceId, templateId } }),
  "templates.create": ({ workspaceId }) => ({ params: { workspaceId }, body: { name: `Release ${randomUUID()}`, ...sampleText } }),
  "templates.update": ({ workspaceId, templateId }) => ({
    params: { workspaceId, templateId },
    body: { name: `Release ${randomUUID()}`, ...sampleText },
  }),
  "templates.remove": ({ workspaceId, templateId }) => ({ params: { workspaceId, templateId } }),
  "houseStyle.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "houseStyle.save": ({ workspaceId }) => ({ params: { workspaceId }, body: { text: "Write to the reader." } }),
  "templates.duplicate": ({ postId }) => ({ params: { id: postId } }),
  "tags.create": ({ workspaceId }) => ({ params: { workspaceId }, body: { label: "Security" } }),
  "subscribers.list": ({ workspaceId }) => ({
    params: { workspaceId },
    query: { page: 1, status: "active", frequency: "instant", tag: "fix", q: "reader" },
  }),
  "subscribers.add": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { email: `${randomUUID()}@reader.example`, frequency: "weekly", tags: ["fix"] },
  }),
  "subscribers.import": ({ workspaceId }) => ({
    params: { workspaceId },
    body: {
      readers: [{ email: `${randomUUID()}@reader.example`, frequency: "daily", tags: ["fix"], confirmed_at: null }],
      declared: true,
      trial: false,
    },
  }),
  "subscribers.export": ({ workspaceId }) => ({
    params: { workspaceId },
    query: { status: "active", frequency: "instant", tag: "fix", q: "reader" },
  }),
  "subscribers.mailCheck": ({ workspaceId }) => ({ params: { workspaceId } }),
  "subscribers.testMail": ({ workspaceId }) => ({ params: { workspaceId } }),
  "subscribers.numbers": ({ workspaceId }) => ({ params: { workspaceId } }),
  "subscribers.audience": ({ workspaceId, postId }) => ({ params: { workspaceId }, query: { tags: "fix,docs", post: postId } }),
  "subscribers.remove": ({ workspaceId, subscriberId }) => ({ params: { workspaceId, subscriberId }, query: { erase: "true" } }),
  "subscribers.settings": ({ workspaceId }) => ({ params: { workspaceId } }),
  "subscribers.saveSettings": ({ workspaceId }) => ({ params: { workspaceId }, body: { undo_minutes: 10, sender_name: "Acme News" } }),
  "webhooks.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "webhooks.create": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { url: "https://hooks.example/", events: ["post.published"], kind: "webhook", tags: ["fix"], name: "Mirror" },
  }),
  "webhooks.preview": ({ workspaceId, postId }) => ({
    params: { workspaceId },
    body: { kind: "slack", event: "post.published", post: postId },
  }),
  "webhooks.change": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId }, body: { name: "Other" } }),
  "webhooks.remove": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId } }),
  "webhooks.rotate": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId } }),
  "webhooks.enable": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId } }),
  "webhooks.ping": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId } }),
  "webhooks.deliveries": ({ workspaceId, webhookId }) => ({ params: { workspaceId, id: webhookId }, query: { state: "done" } }),
  "webhooks.resend": ({ workspaceId, deliveryId }) => ({ params: { workspaceId, id: deliveryId } }),
  "webhooks.resendOf": ({ workspaceId, webhookId, deliveryId }) => ({ params: { workspaceId, id: webhookId, deliveryId } }),
  "webhooks.resendFailed": ({ workspaceId, webhookId }) => ({
    params: { workspaceId, id: webhookId },
    body: { since: "2026-01-01T00:00:00Z" },
  }),
  "widgetSettings.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "widgetSettings.check": ({ workspaceId }) => ({ params: { workspaceId }, body: { url: "https://shop.example" } }),
  "widgetSettings.save": ({ workspaceId }) => ({ params: { workspaceId }, body: { settings: { appearance: { theme: "dark" } } } }),
  "appearance.get": ({ workspaceId }) => ({ params: { workspaceId } }),
  "appearance.put": ({ workspaceId }) => ({ params: { workspaceId }, body: sampleLook }),
  "appearance.uploadPicture": ({ workspaceId }) => ({ params: { workspaceId, picture: "logo-dark" } }),
  "appearance.removePicture": ({ workspaceId }) => ({ params: { workspaceId, picture: "favicon" } }),
  "appearancePreview.preview": ({ workspaceId }) => ({ params: { workspaceId }, body: sampleLook }),
  "analytics.read": ({ workspaceId }) => ({ params: { workspaceId }, query: { from: "2026-01-01", to: "2026-01-31" } }),
  "analytics.post": ({ workspaceId, postId }) => ({
    params: { workspaceId, postId },
    query: { from: "2026-01-01", to: "2026-01-31" },
  }),
  "analytics.csv": ({ workspaceId }) => ({
    params: { workspaceId },
    query: { table: "days", from: "2026-01-01", to: "2026-01-31" },
  }),
  "reports.read": ({ workspaceId }) => ({ params: { workspaceId } }),
  "reports.add": ({ workspaceId }) => ({ params: { workspaceId }, body: { email: `${randomUUID()}@named.example` } }),
  "reports.remove": ({ workspaceId, recipientId }) => ({ params: { workspaceId, recipientId } }),
  "reports.setMine": ({ workspaceId }) => ({ params: { workspaceId }, body: { gets: true } }),
  "reports.preview": ({ workspaceId }) => ({ params: { workspaceId } }),
  "domains.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "domains.add": ({ workspaceId }) => ({ params: { workspaceId }, body: { host: `changelog.${workspaceId.slice(0, 8)}.example` } }),
  "domains.check": ({ workspaceId }) => ({ params: { workspaceId, host: "changelog.acme.example" } }),
  "domains.remove": ({ workspaceId }) => ({ params: { workspaceId, host: "changelog.acme.example" } }),
  "backups.get": ({ workspaceId }) => ({ params: { workspaceId } }),
  "backups.put": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { endpoint: "https://s3.bucket.example", bucket: "copies", key_id: "key", secret: "a secret of it", keep_days: 30 },
  }),
  "backups.remove": ({ workspaceId }) => ({ params: { workspaceId } }),
  "backups.run": ({ workspaceId }) => ({ params: { workspaceId } }),
  "backups.copies": ({ workspaceId }) => ({ params: { workspaceId } }),
  "backups.restore": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { key: "tidings/a.zip", name: "Acme again", subdomain: `again-${workspaceId.slice(0, 8)}` },
  }),
  "addOns.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "imports.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "imports.begin": ({ workspaceId }) => ({ params: { workspaceId }, body: { source: "changelog", name: "CHANGELOG.md", total: 3 } }),
  "imports.read": ({ workspaceId, importId }) => ({ params: { workspaceId, id: importId } }),
  "imports.write": ({ workspaceId, importId }) => ({
    params: { workspaceId, id: importId },
    body: { entries: [importedEntry("v1.0.0"), { ...importedEntry("v1.1.0"), status: "draft", published_at: null, blocks: [] }] },
  }),
  "imports.undo": ({ workspaceId, importId }) => ({ params: { workspaceId, id: importId } }),
  "imports.compare": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { entries: [{ external_id: "v1.0.0", fingerprint: "0".repeat(64) }] },
  }),
  "imports.image": ({ workspaceId, importId }) => ({
    params: { workspaceId, id: importId },
    body: { url: `${inject("stack").url}/there-is-no-such.png` },
  }),
  // Any JSON is passed on as a feed, since the browser parses it.
  "imports.source": ({ workspaceId }) => ({
    params: { workspaceId },
    body: { source: "feed", address: `${inject("stack").url}/api/openapi.json`, key: "", after: null },
  }),
  "exports.workspace": ({ workspaceId }) => ({ params: { workspaceId } }),
  "apiKeys.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "apiKeys.create": ({ workspaceId }) => ({ params: { workspaceId }, body: { name: "Robot", scopes: ["posts:read"] } }),
  "apiKeys.rotate": ({ workspaceId, keyId }) => ({ params: { workspaceId, id: keyId } }),
  "apiKeys.revoke": ({ workspaceId, keyId }) => ({ params: { workspaceId, id: keyId } }),
  "oauth.read": () => ({ query: { request: "client_id=http%3A%2F%2F127.0.0.1%3A9%2Fx" } }),
  "oauth.approve": ({ workspaceId }) => ({
    body: { request: "client_id=http%3A%2F%2F127.0.0.1%3A9%2Fx", workspace_id: workspaceId, scopes: ["posts:read"] },
  }),
  "oauth.deny": () => ({ body: { request: "client_id=http%3A%2F%2F127.0.0.1%3A9%2Fx" } }),
  "assistants.list": ({ workspaceId }) => ({ params: { workspaceId } }),
  "assistants.end": ({ workspaceId, assistantId }) => ({ params: { workspaceId, id: assistantId } }),
  "audit.list": ({ workspaceId }) => ({
    params: { workspaceId },
    query: { actor: "system", kind: "posts", from: "2026-01-01T00:00:00Z", until: "2030-01-01T00:00:00Z", before: 1_000_000 },
  }),
  "audit.export": ({ workspaceId }) => ({ params: { workspaceId }, query: { kind: "signed_in", format: "csv" } }),
  "addOns.request": ({ workspaceId }) => ({ params: { workspaceId }, body: { add_ons: ["analytics"] } }),
};

export interface NamedEndpoint {
  name: string;
  endpoint: Endpoint;
}

export const allEndpoints: NamedEndpoint[] = Object.entries(endpoints).flatMap(([area, calls]) =>
  Object.entries(calls).map(([call, endpoint]) => ({ name: `${area}.${call}`, endpoint: endpoint as unknown as Endpoint })),
);

export const withKey = allEndpoints.filter(({ endpoint }) => isForKeys(endpoint.access));
export const sampled = allEndpoints.filter(({ name }) => name in samples);
export const withSession = sampled.filter(({ endpoint }) => endpoint.access !== "public" && !isForKeys(endpoint.access));

export const placeAt = (id: string): Place => ({
  workspaceId: id,
  postId: id,
  memberId: id,
  inviteId: id,
  linkId: id,
  subscriberId: id,
  keyId: id,
  assistantId: id,
  webhookId: id,
  deliveryId: id,
  recipientId: id,
  importId: id,
  livePostId: id,
  reviewId: id,
  proposalId: id,
  templateId: id,
  threadId: id,
  commentId: id,
  token: id,
});

export function request(client: Client, { name, endpoint }: NamedEndpoint, place: Place, options: Options = {}): Promise<Answer> {
  const { params, query, body } = samples[name]!(place);
  const path = address(endpoint.path, params, query);
  if (!endpoint.multipart) return client.send(endpoint.method, path, { body, ...options });
  const form = new FormData();
  form.set(endpoint.multipart, new File([pictures.png], "picture.png", { type: "image/png" }));
  return client.send(endpoint.method, path, { body: form, ...options });
}
