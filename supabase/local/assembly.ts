import { jobEndpoints } from "#contract/jobs.ts";
import { version } from "#contract/version.ts";
import type { Backend } from "./backend.ts";
import { functionsOf, readConfig } from "./config.ts";
import { Children } from "./engine/children.ts";
import { newestPublicWorkspace } from "./engine/database.ts";
import { DevServers } from "./engine/dev-servers.ts";
import { isDiskFull } from "./engine/disk-space.ts";
import { embeddedBackend } from "./engine/embedded.ts";
import { functionEnvironment } from "./engine/function-environment.ts";
import { Functions } from "./engine/functions.ts";
import { MailBox } from "./engine/mail.ts";
import { Parts } from "./engine/parts.ts";
import { callJob, createTicker } from "./engine/ticker.ts";
import { Gateway } from "./gateway/gateway.ts";
import { createMailIntake } from "./gateway/mail-intake.ts";
import { pageHeaders } from "./gateway/page-headers.ts";
import { SharedCache } from "./gateway/shared-cache.ts";
import { requestLog } from "./gateway/request-log.ts";
import { Concurrency } from "./gateway/concurrency.ts";
import { keepConsoleIn, Logs } from "./logs.ts";
import { projectBackend } from "./project/project.ts";
import { readBotCheck } from "./service/bot-check.ts";
import { createReport } from "./service/error-reports.ts";
import { deliverBy, mailVariables } from "./service/mail-delivery.ts";
import { FrontDoor } from "./service/front-door.ts";
import { createDiskGauge } from "./service/disk-gauge.ts";
import { SignUp } from "./service/sign-up.ts";
import { createMetricsServer } from "./service/metrics-server.ts";
import { finishUpgrade } from "./service/upgrade.ts";
import type { Settings } from "./settings.ts";

export interface AssemblyOptions {
  settings: Settings;
  listensOn: string;
  url: string;
  publicUrl: string;
  isReady(): boolean;
  changed(part: string, up: boolean): void;
}

export interface Assembly {
  parts: Parts;
  functions: Functions;
  backend: Backend;
  signUp: SignUp;
}

/** Sockets still open after shutdown end with the process. */
const lastConnectionsMs = 200;

export async function assemble({ settings, listensOn, url, publicUrl, isReady, changed }: AssemblyOptions): Promise<Assembly> {
  const { dataDir, fast, dev, service, metricsPort, rateLimitScale } = settings;
  const environment = Deno.env.toObject();
  const config = readConfig();
  const botCheck = readBotCheck(environment);
  // `npm start` catches emails unless a transport is set.
  const deliver = service || environment.TIDINGS_MAIL_TRANSPORT || environment.TIDINGS_MAIL_SMTP_URL ? deliverBy(environment) : null;
  const mail = new MailBox(dataDir, deliver);
  const logs = new Logs(dataDir);
  keepConsoleIn(logs.of("supervisor"));
  console.info(`Tidings ${version} is starting`);
  const children = new Children(dataDir);

  const backend = settings.project
    ? projectBackend(settings.project)
    : embeddedBackend({ settings, config, listensOn, siteUrl: publicUrl, mail, logs, children, botCheck, changed });
  const { keys, sql, ownerUrl } = backend;
  const scale = Number(rateLimitScale);
  const signUp = new SignUp(sql, settings.signUp, service !== null);

  const hasDemoProvider = dev && settings.seed === "demo" && !settings.project;

  const functions = new Functions({
    list: functionsOf(config),
    env: {
      ...functionEnvironment({ keys, url, publicUrl, ownerUrl, rateLimitScale }),
      ...(hasDemoProvider && { TIDINGS_SIGN_ON_TO_PRIVATE: "1" }),
      ...(deliver && { TIDINGS_MAIL_API_URL: "", TIDINGS_MAIL_API_KEY: "", ...mailVariables(environment) }),
      // without a transport subscribers couldn't be reached
      ...(service && !deliver && { TIDINGS_MAIL_SUBSCRIPTIONS: "off" }),
    },
    children,
    logs,
    report: createReport(environment.SENTRY_DSN, version),
    onChange: (name, up) => changed(`function ${name}`, up),
  });
  const devServers = dev ? new DevServers(children, logs, () => functions.restart(), hasDemoProvider ? publicUrl : null) : null;

  const metrics = metricsPort === null ? null : new (await import("./service/metrics.ts")).Metrics(); // loaded on demand
  const ticker = createTicker({
    sql,
    tickMs: fast ? 1_000 : 5_000,
    runJobs: () => callJob(functions.portOf("api"), jobEndpoints.run.path),
    ended: (job, succeeded) => metrics?.job(job, succeeded),
  });

  const frontDoor = service?.frontDoor ? new FrontDoor(service.frontDoor) : null;
  const writeRequest = requestLog(logs.of("requests"), settings.log);
  const health = async () => {
    const states = Object.entries(parts.health(await backend.databaseAnswers()));
    const words = Object.fromEntries(states.map(([name, up]) => [name, up ? "up" : "down"]));
    const isFull = await isDiskFull(dataDir);
    return { ok: isReady() && !isFull && states.every(([, up]) => up), version, parts: { ...words, disk: isFull ? "full" : "up" } };
  };
  const gateway = new Gateway({
    port: settings.port,
    parts: {
      functionPort: (name) => functions.portOf(name),
      pages: new SharedCache(),
      service: (request, clientAddress) => backend.fetch(request, clientAddress),
      isDiskFull: () => isDiskFull(dataDir),
      concurrency: { functions: new Concurrency("functions", scale), services: new Concurrency("services", scale) },
      realtime: async (request, clientAddress, body) => await backend.realtime(request, clientAddress, body),
      health,
      mails: () => mail.newestFirst(),
      takeMail: createMailIntake(mail, keys.secretKey),
      newestPublicWorkspace: () => newestPublicWorkspace(sql),
      vitePort: devServers?.vitePort ?? null,
      publicUrl,
      listensOn,
      isFrontDoor: frontDoor?.trusts ?? (() => false),
      trustedProxies: service?.trustedProxies ?? 1,
      devPages: service === null,
      pageHeaders: pageHeaders({ captcha: botCheck !== null, analyticsSrc: environment.TIDINGS_ANALYTICS_SRC ?? null }),
    },
    answered: (line) => {
      writeRequest(line);
      metrics?.request(line);
    },
  });

  const parts: Parts = new Parts([
    { name: "logs", stop: () => logs.close() },
    frontDoor,
    { name: "last connections", stop: () => gateway.ended(lastConnectionsMs) },
    ...backend.parts,
    signUp,
    settings.project ? null : createDiskGauge(sql, dataDir),
    functions,
    backend.postgres && { name: "upgrade", start: async () => finishUpgrade(dataDir) },
    devServers,
    ticker,
    metrics && metricsPort !== null ? createMetricsServer(metricsPort, metrics, () => parts.gauges()) : null,
    gateway,
  ]);
  return { parts, functions, backend, signUp };
}
