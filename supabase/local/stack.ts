import fs from "node:fs";
import type { Sql } from "postgres";
import { jobEndpoints } from "#contract/jobs.ts";
import { type Rate, scaledSize } from "#contract/limits.ts";
import { closeAuthGaps } from "./engine/lite/auth-gaps.ts";
import { limitStrangers, type TokenBuckets } from "./engine/lite/auth-limits.ts";
import { checkForBots, readBotCheck } from "./service/bot-check.ts";
import { Children } from "./engine/children.ts";
import { functionsOf, type ProjectConfig, readConfig } from "./config.ts";
import { takeDataFolder } from "./engine/data-folder.ts";
import { answersQueries, finishDatabase, hasAccount, newestPublicWorkspace, prepareCluster } from "./engine/database.ts";
import { DevServers, watchSources } from "./engine/dev-servers.ts";
import { functionEnvironment } from "./engine/function-environment.ts";
import { createReport } from "./service/error-reports.ts";
import { Functions } from "./engine/functions.ts";
import { createHandler, type Parts } from "./gateway/handler.ts";
import { createMailIntake } from "./gateway/mail-intake.ts";
import { pageHeaders } from "./gateway/page-headers.ts";
import { type RequestLine, requestLog } from "./gateway/request-log.ts";
import { ServiceLoad } from "./gateway/service-load.ts";
import { isSignedWith } from "./realtime/authorize.ts";
import { sockets } from "./gateway/websocket.ts";
import { type Keys, loadKeys } from "./keys.ts";
import { filesOf, sweepLeftovers } from "./engine/lifecycle.ts";
import { createBuckets, type Lite, startLite } from "./engine/lite/services.ts";
import { keepConsoleIn, Logs, tell } from "./logs.ts";
import { MailBox } from "./engine/mail.ts";
import { deliverBy } from "./service/mail-delivery.ts";
import { databaseGauges, Metrics, serveMetrics } from "./service/metrics.ts";
import { AuthService } from "./peers/auth-service.ts";
import { connect, Postgres } from "./engine/postgres.ts";
import { Realtime } from "./realtime/server.ts";
import { demoAccount, seedDemo } from "./seed/demo.ts";
import { noteBrowsers } from "./engine/lite/session-browsers.ts";
import { projectVersion, type Settings } from "./settings.ts";
import { writeStackFile } from "./engine/stack-file.ts";
import { StartError } from "./start-error.ts";
import { callJob, startTicker } from "./engine/ticker.ts";

/** Where this machine reaches what listens on `host`. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Everything that `supabase start` would bring, in this process and its children. */
export class Stack {
  readonly settings: Settings;
  readonly url: string;
  readonly publicUrl: string;
  readonly #config = readConfig();
  readonly #botCheck = readBotCheck(Deno.env.toObject());
  readonly #metrics = new Metrics();
  #keys!: Keys;
  #mail!: MailBox;
  #logs!: Logs;
  #children!: Children;
  #postgres!: Postgres;
  #functions!: Functions;
  #lite: Lite | null = null;
  #authService: AuthService | null = null;
  #realtime: Realtime | null = null;
  #sql: Sql | null = null;
  #server: Deno.HttpServer | null = null;
  #devServers: DevServers | null = null;
  readonly #stopWatching: (() => void)[] = [];
  /** Until then the folder may belong to another stack. */
  #ownsDataDir = false;
  #ready = false;
  #stopping: Promise<void> | null = null;

  constructor(settings: Settings) {
    this.settings = settings;
    const { port, service } = settings;
    this.url = `http://${reachable(this.#listensOn)}:${port}`;
    this.publicUrl = service?.publicUrl ?? `http://localhost:${port}`;
  }

  async start(): Promise<void> {
    const { dataDir, fast } = this.settings;
    takeDataFolder(dataDir);
    this.#ownsDataDir = true;
    await sweepLeftovers(dataDir);
    this.#makeParts();
    this.#server = this.#listen();
    this.#listenForMetrics();
    const othersStarted = Promise.all([this.#functions.start(15_000), this.#devServers?.start()]);
    await this.#postgres.start();
    await this.#startServices(connect(this.#postgres.adminUrl, 6));
    if (this.#sql) this.#stopWatching.push(this.#startTicker(this.#sql, fast ? 1_000 : 5_000));
    await othersStarted;
    this.#ready = true;
    this.#writeStackFile();
    await this.#seed();
  }

  #startTicker(sql: Sql, tickMs: number): () => void {
    const removeFiles = () => callJob(this.#functions.portOf("api"), jobEndpoints.removeFiles.path);
    return startTicker({ sql, tickMs, removeFiles, ended: (job, succeeded) => this.#metrics.job(job, succeeded) });
  }

  /** The demo sign-in, where the demo exists. */
  async demoAccount(): Promise<{ email: string; password: string } | null> {
    return this.#sql && (await hasAccount(this.#sql, demoAccount.email)) ? demoAccount : null;
  }

  /** Functions that are not up; each is started again and again. */
  missingFunctions(): string[] {
    return Object.entries(this.#functions.states()).flatMap(([name, up]) => (up ? [] : [name]));
  }

  #makeParts(): void {
    const { dataDir, fast, slowQueryMs, dev, rateLimitScale } = this.settings;
    this.#keys = loadKeys(dataDir);
    this.#mail = new MailBox(dataDir, this.settings.service && deliverBy(Deno.env.toObject()));
    this.#logs = new Logs(dataDir);
    keepConsoleIn(this.#logs.of("supervisor"));
    const children = (this.#children = new Children(dataDir));
    this.#postgres = new Postgres({
      dataDir,
      adminPassword: this.#keys.adminPassword,
      fast,
      slowQueryMs,
      children,
      log: this.#logs.of("postgres"),
      onChange: (up) => this.#changed("postgres", up),
    });
    this.#functions = new Functions({
      list: functionsOf(this.#config),
      env: functionEnvironment({ keys: this.#keys, url: this.url, publicUrl: this.publicUrl, ownerUrl: this.#ownerUrl, rateLimitScale }),
      children,
      logs: this.#logs,
      report: createReport(Deno.env.get("SENTRY_DSN"), projectVersion()),
      onChange: (name, up) => this.#changed(`function ${name}`, up),
    });
    if (!dev) return;
    this.#devServers = new DevServers(children, this.#logs);
    this.#stopWatching.push(watchSources(["edge-functions", "contract"], () => this.#functions.restart()));
  }

  /** Auth, REST, Storage and Realtime on a database that has everything hosted has, and the project's migrations. */
  async #startServices(sql: Sql): Promise<void> {
    this.#sql = sql;
    await prepareCluster(sql, this.#keys.ownerPassword);
    const toMails = { config: this.#config, siteUrl: this.publicUrl, mail: this.#mail };
    const authService = (this.#authService = await this.#startAuthService(sql, toMails));
    const lite = await startLite({ ...toMails, keys: this.#keys, dbUrl: this.#postgres.adminUrl, dataDir: this.settings.dataDir });
    await finishDatabase(sql, this.#ownerUrl);
    await createBuckets(sql, this.#config);
    const asHosted = authService?.inPlaceOf(lite) ?? noteBrowsers(closeAuthGaps(lite, { ...toMails, sql }), sql);
    this.#lite = limitStrangers(checkForBots(asHosted, this.#botCheck), this.#tokenBuckets(sql), this.#listensOn);
    const realtime = new Realtime(sql, this.#keys);
    await realtime.listen();
    this.#realtime = realtime;
  }

  /** Tests only: another auth service in the place of lite's (`npm run peers`). */
  async #startAuthService(sql: Sql, toMails: { config: ProjectConfig; siteUrl: string; mail: MailBox }): Promise<AuthService | null> {
    const program = Deno.env.get("TIDINGS_AUTH_PROGRAM");
    if (!program) return null;
    const databaseUrl = (role: string, password: string) => this.#postgres.url(role, password);
    const itself = { program, sql, databaseUrl, keys: this.#keys, children: this.#children, log: this.#logs.of("auth") };
    const authService = new AuthService({ ...toMails, ...itself });
    await authService.start();
    return authService;
  }

  /** As the functions count, with the same scale. */
  #tokenBuckets(sql: Sql): TokenBuckets {
    const scaled = (rate: Rate) => scaledSize(rate, Number(this.settings.rateLimitScale));
    return {
      async take(bucket, key, rate) {
        const [row] = await sql<{ wait: number }[]>`select public.take_token(${bucket}, ${key}, ${scaled(rate)}, ${rate.seconds}) as wait`;
        return row?.wait ?? 0;
      },
      async giveBack(bucket, key, rate) {
        await sql`select public.give_back_token(${bucket}, ${key}, ${scaled(rate)})`;
      },
    };
  }

  /** A demo only where nobody has signed up yet; the product works without it, so a failure is only told. */
  async #seed(): Promise<void> {
    if (this.settings.seed !== "demo" || !this.#sql || (await hasAccount(this.#sql))) return;
    await seedDemo({ url: this.publicUrl }).catch((error: Error) => tell(error.message));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (!this.#ownsDataDir) return;
    for (const stopWatching of this.#stopWatching) stopWatching();
    const closing = this.#server?.shutdown();
    await Promise.all([this.#functions?.stop(), this.#devServers?.stop()]);
    await this.#authService?.stop();
    await this.#sql?.end({ timeout: 1 }).catch(() => {});
    await this.#postgres?.stop();
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 200))]); // long-lived connections end with the process
    this.#logs?.close();
    const { stack, children } = filesOf(this.settings.dataDir);
    for (const file of [stack, children]) fs.rmSync(file, { force: true });
  }

  #listen(): Deno.HttpServer {
    const write = requestLog(this.#logs.of("requests"), this.settings.log);
    const handler = createHandler(this.#parts(), (line: RequestLine) => {
      write(line);
      this.#metrics.request(line);
    });
    const options = { hostname: this.#listensOn, port: this.settings.port, automaticCompression: true, onListen: () => {} };
    return listening("PORT", this.settings.port, () => Deno.serve(options, handler));
  }

  #listenForMetrics(): void {
    const { metricsPort } = this.settings;
    if (metricsPort === null) return;
    const gauges = async () => ({
      sockets: sockets.open,
      realtime_sockets: sockets.realtime,
      ...(this.#sql && (await databaseGauges(this.#sql))),
      ...this.#functionGauges(),
    });
    const server = listening("METRICS_PORT", metricsPort, () =>
      serveMetrics({ port: metricsPort, text: async () => this.#metrics.text(await gauges()) }),
    );
    this.#stopWatching.push(() => void server.shutdown());
  }

  #functionGauges(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.#functions.states()).map(([name, up]) => [`function_up{function="${name}"}`, Number(up)]),
    );
  }

  #parts(): Parts {
    return {
      functionPort: (name) => this.#functions.portOf(name),
      service: (request, clientAddress) => this.#serve(request, clientAddress),
      load: new ServiceLoad(Number(this.settings.rateLimitScale), isSignedWith(this.#keys.jwtSecret)),
      realtime: (request) => (this.#realtime && this.#postgres.up ? this.#realtime.fetch(request) : null),
      health: () => this.#health(),
      mails: () => this.#mail.newestFirst(),
      takeMail: createMailIntake(this.#mail, this.#keys.secretKey),
      newestPublicWorkspace: async () => (this.#sql ? await newestPublicWorkspace(this.#sql) : null),
      vitePort: this.#devServers?.vitePort ?? null,
      publicUrl: this.publicUrl,
      listensOn: this.#listensOn,
      frontDoor: this.settings.service?.frontDoor ?? null,
      trustedProxies: this.settings.service?.trustedProxies ?? 1,
      devPages: this.settings.service === null,
      pageHeaders: pageHeaders({ captcha: this.#botCheck !== null, analyticsSrc: Deno.env.get("ANALYTICS_SRC") ?? null }),
    };
  }

  /** Auth, REST and Storage; null while they cannot work, also when Postgres has ended under a request. */
  async #serve(request: Request, clientAddress: string): Promise<Response | null> {
    if (!this.#lite || !this.#postgres.up) return null;
    const lostBefore = this.#lite.lostConnections();
    const answer = await this.#lite.fetch(request, clientAddress);
    if (answer.status < 500) return answer;
    return this.#lite.lostConnections() > lostBefore || !(await this.#databaseAnswers()) ? null : answer;
  }

  async #databaseAnswers(): Promise<boolean> {
    return this.#sql !== null && this.#postgres.up && (await answersQueries(this.#sql));
  }

  async #health(): Promise<{ ok: boolean; parts: Record<string, string> }> {
    const answered = await this.#databaseAnswers();
    const states: Record<string, boolean> = {
      postgres: answered,
      auth: answered && this.#lite !== null,
      rest: answered && this.#lite !== null,
      storage: answered && this.#lite !== null,
      realtime: answered && this.#realtime !== null,
      ...this.#functions.states(),
    };
    const parts = Object.fromEntries(Object.entries(states).map(([name, up]) => [name, up ? "up" : "down"]));
    return { ok: this.#ready && Object.values(states).every(Boolean), parts };
  }

  get #listensOn(): string {
    return this.settings.service?.host ?? "127.0.0.1";
  }

  get #ownerUrl(): string {
    return this.#postgres.url("postgres", this.#keys.ownerPassword);
  }

  #changed(part: string, up: boolean): void {
    if (!this.#ready) return;
    tell(up ? `${part} is back` : `${part} has ended; starting it again`);
    try {
      this.#writeStackFile();
    } catch (error) {
      console.error("stack.json:", error); // a full disk must not keep the part from coming back
    }
  }

  #writeStackFile(): void {
    writeStackFile(this.settings.dataDir, {
      url: this.url,
      publicUrl: this.publicUrl,
      dbUrl: this.#postgres.adminUrl,
      ownerUrl: this.#ownerUrl,
      publishableKey: this.#keys.publishableKey,
      secretKey: this.#keys.secretKey,
      jwtSecret: this.#keys.jwtSecret,
      pids: { supervisor: Deno.pid, postgres: this.#postgres.up ? this.#postgres.pid : 0, functions: this.#functions.pids() },
      ports: { gateway: this.settings.port, postgres: this.#postgres.port, functions: this.#functions.ports() },
    });
  }
}

/** Begins to listen; a port that cannot be had is a sentence that names its setting. */
function listening<Server>(setting: string, port: number, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse)
      throw new StartError(`Port ${port} is in use by another program; choose another one with ${setting}.`);
    if (error instanceof Deno.errors.PermissionDenied)
      throw new StartError(`Port ${port} needs more rights; choose one above 1023 with ${setting}.`);
    throw error;
  }
}
