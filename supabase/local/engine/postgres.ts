import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { basicEnvironment, type Children } from "./children.ts";
import { letOthersWalkTo } from "./data-folder.ts";
import { type Log, pump, tell } from "../logs.ts";
import type { Part } from "./parts.ts";
import { answers, freePort } from "./ports.ts";
import { linkLibraries, postgresPackage, postgresProgram } from "./postgres-programs.ts";
import { StartError } from "../start-error.ts";
import { systemUser, type SystemUser } from "./system-user.ts";

export interface PostgresOptions {
  dataDir: string;
  adminPassword: string;
  fast: boolean;
  /** Threshold of the slow query log in ms; null: off. */
  slowQueryMs: number | null;
  children: Children;
  log: Log;
  programs?: string;
  onChange(up: boolean): void;
}

export class Postgres implements Part {
  readonly name = "postgres";
  readonly port = freePort();
  readonly isNew: boolean;
  readonly #options: PostgresOptions;
  readonly #folder: string;
  readonly #user: SystemUser | null;
  readonly #programs: string;
  #child: Deno.ChildProcess | null = null;
  #initialised: Promise<void> = Promise.resolve();
  #up = false;
  #stopping = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#folder = path.join(options.dataDir, "postgres");
    this.isNew = !fs.existsSync(path.join(this.#folder, "PG_VERSION"));
    this.#programs = options.programs ?? postgresPackage();
    this.#user = Deno.uid() === 0 ? systemUser("postgres") : null; // Postgres refuses to run as root
  }

  get up(): boolean {
    return this.#up;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get adminUrl(): string {
    return this.url("supabase_admin", this.#options.adminPassword);
  }

  url(role: string, password: string): string {
    return `postgresql://${role}:${password}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    if (this.#user) {
      const opened = letOthersWalkTo(this.#options.dataDir).filter((folder) => folder !== this.#options.dataDir);
      for (const folder of opened)
        tell(`Changed the permissions of ${folder}: you're root, so Postgres runs as user postgres and needs access.`);
    }
    linkLibraries(this.#programs);
    if (this.isNew) await (this.#initialised = this.#initialise());
    if (this.#stopping) throw new StartError("Tidings was stopped during its start.");
    dropStaleLock(this.#folder);
    await this.#launch();
    await this.#upWithin(startPatienceMs);
    if (!this.#up) throw new StartError(`Postgres doesn't start. See ${path.join(this.#options.dataDir, "logs/postgres.log")}.`);
  }

  health(databaseAnswers: boolean): Record<string, boolean> {
    return { postgres: databaseAnswers };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#child) await this.#options.children.end(this.#child, "SIGINT", 10_000);
    await this.#initialised.catch(() => {});
    this.#up = false;
  }

  /** Retries: a killed server's last processes must exit first. */
  async #upWithin(timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; Date.now() < end && !this.#up;) await new Promise((resolve) => setTimeout(resolve, 25));
  }

  /** Runs initdb in a temporary folder, so an interrupted run leaves no half cluster. */
  async #initialise(): Promise<void> {
    const unfinished = `${this.#folder}.new`;
    const passwordFile = path.join(this.#options.dataDir, "initdb-password");
    for (const left of [this.#folder, unfinished]) fs.rmSync(left, { recursive: true, force: true });
    fs.mkdirSync(unfinished, { mode: 0o700 });
    fs.writeFileSync(passwordFile, this.#options.adminPassword, { mode: 0o600 });
    if (this.#user) for (const file of [unfinished, passwordFile]) fs.chownSync(file, this.#user.uid, this.#user.gid);
    try {
      if (!(await this.#runInitdb(unfinished, passwordFile)))
        throw new StartError(`Couldn't create the database. See ${path.join(this.#options.dataDir, "logs/postgres.log")}.`);
      fs.renameSync(unfinished, this.#folder);
    } finally {
      for (const left of [passwordFile, unfinished]) fs.rmSync(left, { recursive: true, force: true });
    }
  }

  async #runInitdb(folder: string, passwordFile: string): Promise<boolean> {
    const child = this.#options.children.spawn(postgresProgram(this.#programs, "initdb"), {
      args: [
        `--pgdata=${folder}`,
        "--username=supabase_admin",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        `--locale=${locale}`,
        "--lc-messages=C",
        "--no-instructions",
        this.#options.fast ? "--no-sync" : `--sync-method=${syncMethod}`,
      ],
      ...this.#identity(folder),
    });
    this.#child = child;
    await Promise.all([pump(child.stdout, this.#options.log), pump(child.stderr, this.#options.log)]);
    return (await child.status).success;
  }

  async #launch(): Promise<void> {
    const child = this.#options.children.spawn(postgresProgram(this.#programs, "postgres"), {
      args: ["-D", this.#folder, "-p", String(this.port), ...serverFlags(this.#options)],
      ...this.#identity(this.#folder),
    });
    this.#child = child;
    let ended = false;
    void pump(child.stdout, this.#options.log);
    const ready = new Promise<boolean>((resolve) => {
      void pump(child.stderr, this.#options.log, (text) => text.includes("ready to accept connections") && resolve(true));
      void child.status.then(() => resolve(false));
    });
    void child.status.then(() => {
      ended = true;
      this.#change(false);
      if (!this.#stopping) void this.#relaunch();
    });
    if (await ready) this.#change(await answers(this.port, 5_000, () => ended));
  }

  async #relaunch(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 100)); // orphaned backends still hold the shared memory
    if (!this.#stopping) await this.#launch();
  }

  #change(up: boolean): void {
    if (up === this.#up) return;
    this.#up = up;
    if (!this.#stopping) this.#options.onChange(up);
  }

  #identity(folder: string): Deno.CommandOptions {
    return { cwd: folder, env: { ...basicEnvironment(), LC_ALL: locale }, ...(this.#user ?? {}) };
  }
}

/** Removes a stale postmaster.pid. In a new container its pid may belong to another program, and Postgres wouldn't start. */
export function dropStaleLock(folder: string): void {
  if (Deno.build.os !== "linux") return;
  const file = path.join(folder, "postmaster.pid");
  const pid = Number.parseInt(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "", 10);
  const program = pid > 0 && fs.existsSync(`/proc/${pid}/comm`) ? fs.readFileSync(`/proc/${pid}/comm`, "utf8").trim() : "";
  if (pid > 0 && program !== "postgres") fs.rmSync(file);
}

const startPatienceMs = 10_000;
/** One call for the whole disk instead of one per file: seconds faster after a crash. */
const syncMethod = Deno.build.os === "linux" ? "syncfs" : "fsync";
const locale = Deno.build.os === "darwin" ? "en_US.UTF-8" : "C.UTF-8";

function serverFlags({ fast, slowQueryMs }: Pick<PostgresOptions, "fast" | "slowQueryMs">): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "60",
    shared_buffers: "128MB",
    jit: "off",
    recovery_init_sync_method: syncMethod,
    ...logging,
    log_min_duration_statement: String(slowQueryMs ?? -1),
    ...(fast ? { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Logs the request id and the statement without parameters, which are personal data. */
const logging = {
  log_line_prefix: "%m [%p] %q%a ",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

export const patient = { onnotice: () => {}, backoff: () => 0.1, connect_timeout: 3 };

/** A pool that survives a restart of the server; times are in UTC. */
export const connect = (url: string, max: number): postgres.Sql => postgres(url, { ...patient, max, connection: { TimeZone: "UTC" } });
