import fs from "node:fs";
import { version } from "#contract/version.ts";
import { assemble, type Assembly } from "./assembly.ts";
import { takeDataFolder } from "./engine/data-folder.ts";
import { hasAccount } from "./engine/database.ts";
import { filesOf, sweepLeftovers } from "./engine/lifecycle.ts";
import { writeStackFile } from "./engine/stack-file.ts";
import { tell, withoutDetail } from "./logs.ts";
import { demoAccount, seedDemo } from "./seed/demo.ts";
import { refuseUnfinishedMove } from "./service/move-folder.ts";
import { refuseNewerData, undoUnfinishedUpgrade } from "./service/upgrade.ts";
import type { Settings } from "./settings.ts";
import { StartError } from "./start-error.ts";

function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

export class Stack {
  readonly settings: Settings;
  readonly url: string;
  readonly publicUrl: string;
  readonly #listensOn: string;
  /** Null until the data folder is locked. */
  #assembly: Assembly | null = null;
  #ownsDataDir = false;
  #ready = false;
  #stopping: Promise<void> | null = null;

  constructor(settings: Settings) {
    const { port, service } = settings;
    this.settings = settings;
    this.#listensOn = service?.host ?? "127.0.0.1";
    this.url = `http://${reachable(this.#listensOn)}:${port}`;
    this.publicUrl = service?.publicUrl ?? `http://localhost:${port}`;
  }

  async start(): Promise<void> {
    const { settings, url, publicUrl } = this;
    takeDataFolder(settings.dataDir);
    refuseUnfinishedMove(settings.dataDir);
    await sweepLeftovers(settings.dataDir);
    this.#ownsDataDir = true;
    await undoUnfinishedUpgrade(settings.dataDir);
    refuseNewerData(settings.dataDir);
    const assembly = await assemble({
      ...{ settings, url, publicUrl, listensOn: this.#listensOn },
      isReady: () => this.#ready,
      changed: (part, up) => this.#changed(part, up),
    });
    if (this.#stopping) throw new StartError("Tidings was stopped during its start.");
    this.#assembly = assembly;
    await assembly.parts.start().catch((error: unknown) => this.#undoUpgrade(error));
    this.#ready = true;
    this.#writeStackFile(assembly);
    await this.#seed(assembly);
  }

  async demoAccount(): Promise<{ email: string; password: string } | null> {
    return this.#assembly && (await hasAccount(this.#assembly.backend.sql, demoAccount.email)) ? demoAccount : null;
  }

  operatorToken(): string | null {
    return this.#assembly?.signUp.operatorToken ?? null;
  }

  /** Time of the last `npm run backup`; null: never. */
  async lastBackup(): Promise<Date | null> {
    if (!this.#assembly) return null;
    const { sql } = this.#assembly.backend;
    const [row] = await sql<{ at: Date | null }[]>`select backed_up_at as at from private.machine`;
    return row?.at ?? null;
  }

  missingFunctions(): string[] {
    return Object.entries(this.#assembly?.functions.health() ?? {}).flatMap(([name, up]) => (up ? [] : [name]));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (!this.#ownsDataDir) return;
    await this.#assembly?.parts.stop();
    const { stack, children } = filesOf(this.settings.dataDir);
    for (const file of [stack, children]) fs.rmSync(file, { force: true });
  }

  async #seed({ backend: { sql } }: Assembly): Promise<void> {
    if (this.settings.seed !== "demo" || (await hasAccount(sql))) return;
    await seedDemo({ url: this.publicUrl, sql, withProvider: this.settings.dev }).catch((error: Error) => tell(error.message));
  }

  async #undoUpgrade(reason: unknown): Promise<never> {
    await this.stop();
    if (!(await undoUnfinishedUpgrade(this.settings.dataDir))) throw reason;
    const message = reason instanceof StartError ? reason.message : String(withoutDetail(reason));
    throw new StartError(`The upgrade to Tidings ${version} failed and was undone, so the version before can go on: ${message}`);
  }

  #changed(part: string, up: boolean): void {
    if (!this.#ready || !this.#assembly) return;
    tell(up ? `${part} is back` : `${part} has ended; starting it again`);
    try {
      this.#writeStackFile(this.#assembly);
    } catch (error) {
      console.error("stack.json:", error); // a full disk must not stop the part's recovery
    }
  }

  #writeStackFile({ functions, backend: { keys, postgres, adminUrl, ownerUrl } }: Assembly): void {
    writeStackFile(this.settings.dataDir, {
      url: this.url,
      publicUrl: this.publicUrl,
      dbUrl: adminUrl,
      ownerUrl,
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
      jwtSecret: keys.jwtSecret,
      pids: { supervisor: Deno.pid, postgres: postgres?.up ? postgres.pid : 0, functions: functions.pids() },
      ports: { gateway: this.settings.port, postgres: postgres?.port ?? 0, functions: functions.ports() },
    });
  }
}
