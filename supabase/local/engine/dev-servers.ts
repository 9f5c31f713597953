import fs from "node:fs";
import path from "node:path";
import { basicEnvironment, type Children } from "./children.ts";
import { type Logs, pump } from "../logs.ts";
import type { Part } from "./parts.ts";
import { answers, freePort } from "./ports.ts";
import { projectRoot } from "../settings.ts";

const inProject = (name: string): string => path.join(projectRoot, name);
const vite = inProject("node_modules/vite/bin/vite.js");

/** `npm run dev`: Vite with hot reload, widget rebuilds, function restarts. */
export class DevServers implements Part {
  readonly name = "dev servers";
  readonly vitePort = freePort();
  readonly #children: Children;
  readonly #logs: Logs;
  readonly #sourcesChanged: () => void;
  readonly #demoUrl: string | null;
  #running: Deno.ChildProcess[] = [];
  #stopWatching: (() => void) | null = null;

  /** `demoUrl`: of the stack that has the demo. */
  constructor(children: Children, logs: Logs, sourcesChanged: () => void, demoUrl: string | null) {
    this.#children = children;
    this.#logs = logs;
    this.#sourcesChanged = sourcesChanged;
    this.#demoUrl = demoUrl;
  }

  async startAlongside(): Promise<void> {
    this.#stopWatching = watchSources(["edge-functions", "contract"], this.#sourcesChanged);
    if (this.#demoUrl !== null) this.#spawn("demo-provider", ["scripts/demo-provider.ts", this.#demoUrl]);
    this.#spawn("vite", [vite, "--port", String(this.vitePort), "--strictPort", "--host", "127.0.0.1", "--clearScreen", "false"]);
    if (fs.existsSync(inProject("widget/main.ts")))
      this.#spawn("vite-widget", [vite, "build", "--mode", "widget", "--watch", "--clearScreen", "false"]);
    await answers(this.vitePort, 20_000);
  }

  async stop(): Promise<void> {
    this.#stopWatching?.();
    await Promise.all(this.#running.map((child) => this.#children.end(child, "SIGTERM", 2_000)));
  }

  #spawn(name: string, args: string[]): void {
    const node = inProject("node_modules/.bin/node");
    const child = this.#children.spawn(node, {
      args,
      cwd: projectRoot,
      env: { ...basicEnvironment(), NO_COLOR: "1" },
    });
    const log = this.#logs.of(name);
    void pump(child.stdout, log);
    void pump(child.stderr, log);
    this.#running.push(child);
  }
}

function watchSources(folders: string[], changed: () => void): () => void {
  const watcher = Deno.watchFs(folders.map(inProject).filter((folder) => fs.existsSync(folder)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  void (async () => {
    for await (const event of watcher) {
      if (event.kind === "access" || event.kind === "other") continue;
      clearTimeout(timer);
      timer = setTimeout(changed, 100);
    }
  })();
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
