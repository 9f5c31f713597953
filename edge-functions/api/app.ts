import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { endpoints } from "#contract/endpoints.ts";
import { problemType } from "#contract/error-body.ts";
import { asProblem } from "#contract/errors.ts";
import { jobEndpoints } from "#contract/jobs.ts";
import { describeApi, publicAreas } from "#contract/openapi/describe-api.ts";
import { openApiEndpoints } from "#contract/openapi/endpoints.ts";
import { webhookPayloads } from "#contract/webhooks.ts";
import type { Env } from "../_shared/env.ts";
import { type Dns, withoutDns } from "../_shared/dns.ts";
import { AppError, presentError } from "../_shared/errors.ts";
import { createBinder, type ApiApp, type ApiVariables, type Binder } from "../_shared/handle.ts";
import { JobWorker } from "../_shared/jobs.ts";
import { describeFault, log, type Log } from "../_shared/log.ts";
import { requestId } from "../_shared/request-id.ts";
import { bindAccess } from "./access.ts";
import { bindAddOns } from "./add-ons.ts";
import { bindAnalytics } from "./analytics.ts";
import { bindAudit } from "./audit.ts";
import { bindBackups } from "./backups/routes.ts";
import { BackupWorker } from "./backups/worker.ts";
import { bindComments } from "./comments.ts";
import { bindAuth } from "./accounts/routes.ts";
import { drawOgImages } from "./draw-pictures.ts";
import { DomainChecker } from "./domains/checker.ts";
import { bindDomains } from "./domains/routes.ts";
import { bindFactors } from "./factors/routes.ts";
import { bindExport } from "./workspaces/export.ts";
import { bindHealth } from "./health.ts";
import { bindHouseStyle } from "./house-style.ts";
import { EmailDomainChecker } from "./identity/queries.ts";
import { bindSingleSignOn } from "./identity/routes.ts";
import { bindImports } from "./imports/routes.ts";
import { bindInvites } from "./invites/routes.ts";
import { bindJobs } from "./jobs.ts";
import { bindKeys } from "./keys.ts";
import { createKeyCalls } from "../_shared/key-calls.ts";
import { bindMailEvents } from "./mail-events/routes.ts";
import { bindMcp } from "./mcp/routes.ts";
import { bindMailCheck } from "./mail-check/routes.ts";
import { emailTasks } from "./outbox/tasks.ts";
import { bindOAuth, serveOAuth } from "./oauth/routes.ts";
import { bindOperator } from "./operator.ts";
import { bindPosts } from "./posts/routes.ts";
import { bindPreviewLinks } from "./preview-links.ts";
import { bindProfiles } from "./profiles/routes.ts";
import { bindReports } from "./reports.ts";
import { bindReviews } from "./reviews/routes.ts";
import { bindRevisions } from "./revisions.ts";
import { serveSecurityTxt } from "./security-txt.ts";
import { bindSessions } from "./sessions.ts";
import { bindSubscribers } from "./subscribers.ts";
import { bindTags } from "./tags.ts";
import { bindTeam } from "./team.ts";
import { bindTemplates } from "./templates.ts";
import type { Network } from "../_shared/outbound/network.ts";
import { bindWebhooks } from "./webhooks/routes.ts";
import { WebhookSender } from "./webhooks/worker.ts";
import { bindV1Comments } from "./v1/comments.ts";
import { bindV1Exports } from "./v1/exports.ts";
import { bindV1Images } from "./v1/images.ts";
import { bindV1Posts } from "./v1/posts.ts";
import { bindV1Reviews } from "./v1/reviews.ts";
import { bindV1Revisions } from "./v1/revisions.ts";
import { bindV1Stats } from "./v1/stats.ts";
import { bindV1Readers } from "./v1/readers.ts";
import { bindV1Subscribers } from "./v1/subscribers.ts";
import { bindV1Tags } from "./v1/tags.ts";
import { bindAppearance } from "./appearance/routes.ts";
import { bindWidgetCheck } from "./widget-check.ts";
import { bindWidgetSettings } from "./widget-settings.ts";
import { bindWorkspaces } from "./workspaces/routes.ts";

const clocks = new Set<string>(Object.values(jobEndpoints).map(({ path }) => path));

export interface Outside {
  network: Network;
  waitUntil(work: Promise<unknown>): void;
}
const noNetwork = () => Promise.reject(new Error("network access isn't configured"));
const withoutNetwork: Outside = { network: { resolve: noNetwork, connect: noNetwork, secure: noNetwork }, waitUntil: () => {} };

export function createApp(env: Env, write: Log = log, dns: Dns = withoutDns, outside: Outside = withoutNetwork): ApiApp {
  const app: ApiApp = new Hono<ApiVariables>().basePath("/api");

  app.use(async (context, next) => {
    const started = performance.now();
    const id = requestId(context.req.raw.headers);
    context.set("requestId", id);
    context.set("route", "none");
    await next();
    context.header("x-request-id", id);
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
    if (context.res.status === 200 && clocks.has(context.get("route"))) return; // cron calls are too frequent to log; their work logs itself
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const tool = context.get("tool");
    write({
      ...{ event: "request", id, method: context.req.method, route: context.get("route") },
      ...(tool !== undefined && { tool }),
      ...{ status: context.res.status, ms },
    });
  });

  const refuse = (context: Context, error: AppError) => {
    const { body, headers } = presentError(error, context.get("requestId") as string);
    const status = error.status as ContentfulStatusCode;
    const takesProblems = context.req.path.startsWith("/api/v1/") || context.req.header("accept")?.includes(problemType);
    if (!takesProblems) return context.json(body, status, headers);
    return context.json(asProblem(body, error.code, env.publicUrl), status, { ...headers, "content-type": problemType });
  };
  app.onError((thrown, context) => {
    const error = thrown instanceof AppError ? thrown : new AppError("internal", { cause: thrown });
    if (error.status >= 500) write({ event: "fault", id: context.get("requestId"), fault: describeFault(error.details.cause ?? error) });
    return refuse(context, error);
  });
  app.notFound((context) => {
    const allow = methodsAt(context.req.path);
    if (allow.length > 0) context.header("allow", allow.join(", "));
    return refuse(context, new AppError(allow.length > 0 ? "method_not_allowed" : "not_found"));
  });

  const keys = createKeyCalls(env);
  const bind = createBinder(app, env, keys);
  for (const bindArea of areas) bindArea(bind);
  bindMailCheck(bind, dns.texts);
  const domains = new DomainChecker(env, dns, outside.network);
  const emailDomains = new EmailDomainChecker(env, dns);
  const tasks = {
    backup: new BackupWorker(env, outside.network),
    check_domain: domains,
    check_email_domain: emailDomains,
    draw_og_image: drawOgImages(env),
    send_webhook: new WebhookSender(env, outside.network),
    ...emailTasks(env),
  };
  const jobs = new JobWorker(env, tasks, outside.waitUntil);
  bindJobs(bind, jobs);
  bindDomains(bind, env, domains);
  bindSingleSignOn(bind, env, outside.network, emailDomains);
  bindWebhooks(bind, env, outside.network, jobs);
  bindImports(bind, env, outside.network);
  bindBackups(bind, env, outside.network, jobs);
  bindWidgetCheck(bind, outside.network);
  bindMcp(bind, write);
  bindOAuth(bind, env, outside.network);
  serveOAuth(app, env, keys);
  serveSecurityTxt(app, env);
  return app;
}

const areas = [
  bindAuth,
  bindFactors,
  bindProfiles,
  bindSessions,
  bindWorkspaces,
  bindInvites,
  bindTeam,
  bindPosts,
  bindPreviewLinks,
  bindAccess,
  bindComments,
  bindRevisions,
  bindReviews,
  bindTags,
  bindTemplates,
  bindHouseStyle,
  bindSubscribers,
  bindWidgetSettings,
  bindAppearance,
  bindAddOns,
  bindAnalytics,
  bindReports,
  bindExport,
  bindKeys,
  bindAudit,
  bindOperator,
  bindOpenApi,
  bindHealth,
  bindMailEvents,
  bindV1Posts,
  bindV1Revisions,
  bindV1Comments,
  bindV1Reviews,
  bindV1Tags,
  bindV1Images,
  bindV1Readers,
  bindV1Subscribers,
  bindV1Stats,
  bindV1Exports,
];

const patterns = Object.values(endpoints)
  .flatMap((area) => Object.values(area))
  .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }));

function methodsAt(path: string): string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

function bindOpenApi({ open }: Binder): void {
  type Document = ReturnType<typeof describeApi>;
  let document: Document | undefined;
  let publicDocument: Document | undefined;
  open(openApiEndpoints.document, async ({ env }) => (document ??= describeApi(endpoints, env.publicUrl, webhookPayloads)));
  open(
    openApiEndpoints.publicDocument,
    async ({ env }) => (publicDocument ??= describeApi(publicAreas(endpoints), env.publicUrl, webhookPayloads)),
  );
}
