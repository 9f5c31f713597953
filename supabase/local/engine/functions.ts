import fs from "node:fs";
import { basicEnvironment, type Children } from "./children.ts";
import type { FunctionConfig } from "../config.ts";
import { functionFlags } from "./function-flags.ts";
import { faultsIn, type Report } from "../service/error-reports.ts";
import { type Logs, pump } from "../logs.ts";
import type { Gauge, Part } from "./parts.ts";
import { answers, freePort } from "./ports.ts";
import { projectRoot } from "../settings.ts";

export interface FunctionsOptions {
  list: FunctionConfig[];
  env: Record<string, string>;
  children: Children;
  logs: Logs;
  report: Report | null;
  onChange(name: string, up: boolean): void;
}

/** The stack counts as up even if a function takes longer. */
const startPatienceMs = 15_000;
/** Restarts a process that isn't listening by then. Generous for swapping machines. */
const longestStartMs = 60_000;

interface Running {
  config: FunctionConfig;
  port: number;
  child: Deno.ChildProcess;
  up: boolean;
  /** Consecutive launches that ended within a second; the pause grows with it. */
  failures: number;
}

export class Functions implements Part {
  readonly name = "functions";
  readonly #options: FunctionsOptions;
  readonly #running = new Map<string, Running>();
  #stopping = false;

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  async startAlongside(): Promise<void> {
    const present = this.#options.list.filter(({ entrypoint }) => fs.existsSync(entrypoint));
    const launched = Promise.all(present.map((config) => this.#launch(config, 0)));
    await Promise.race([launched, new Promise((resolve) => setTimeout(resolve, startPatienceMs))]);
  }

  portOf(name: string): number | null | undefined {
    const entry = this.#running.get(name);
    return entry && (entry.up ? entry.port : null);
  }

  pids(): Record<string, number> {
    return Object.fromEntries([...this.#running].map(([name, { child, up }]) => [name, up ? child.pid : 0]));
  }

  ports(): Record<string, number> {
    return Object.fromEntries([...this.#running].map(([name, { port }]) => [name, port]));
  }

  health(): Record<string, boolean> {
    return Object.fromEntries([...this.#running].map(([name, { up }]) => [name, up]));
  }

  gauges(): Gauge[] {
    return Object.entries(this.health()).map(([name, up]) => ({
      name: "function_up",
      help: "Whether a function answers.",
      labels: { function: name },
      value: Number(up),
    }));
  }

  restart(): void {
    for (const { child } of this.#running.values()) this.#end(child);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running.values()].map(({ child }) => this.#end(child)));
  }

  #end(child: Deno.ChildProcess): Promise<void> {
    return this.#options.children.end(child, "SIGTERM", 1_000);
  }

  /** Resolves when it listens or has failed. */
  async #launch(config: FunctionConfig, failures: number): Promise<void> {
    const port = freePort();
    const child = this.#options.children.spawn(Deno.execPath(), {
      args: ["run", ...functionFlags, "--config", config.config, config.entrypoint],
      cwd: projectRoot,
      env: this.#environment(port),
    });
    const entry: Running = { config, port, child, up: false, failures };
    this.#running.set(config.name, entry);
    const log = this.#options.logs.of(config.name);
    const { report } = this.#options;
    void pump(child.stdout, log, report ? faultsIn((fault, id) => report(config.name, fault, id)) : undefined);
    void pump(child.stderr, log);
    const began = Date.now();
    let ended = false;
    void child.status.then(() => {
      ended = true;
      this.#change(entry, false);
      void this.#relaunch(config, Date.now() - began < 1_000 ? failures + 1 : 0);
    });
    if (await answers(port, longestStartMs, () => ended)) this.#change(entry, true);
    else if (!ended) await this.#end(child); // the watcher restarts it
  }

  async #relaunch(config: FunctionConfig, failures: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** failures, 1_500)));
    if (!this.#stopping) await this.#launch(config, failures);
  }

  #change(entry: Running, up: boolean): void {
    if (entry.up === up || this.#stopping) return;
    entry.up = up;
    this.#options.onChange(entry.config.name, up);
  }

  #environment(port: number): Record<string, string> {
    return { ...basicEnvironment(), NO_COLOR: "1", ...this.#options.env, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` };
  }
}
