import { endProcess, filesOf, isAlive, markOf, type ProcessMark, replaceFile } from "./lifecycle.ts";

export class Children {
  readonly #file: string;
  #marks: ProcessMark[] = [];

  constructor(dataDir: string) {
    this.#file = filesOf(dataDir).children;
  }

  /** Spawns a program with exactly this environment in its own process group, so Ctrl+C reaches only this process. */
  spawn(program: string, options: Deno.CommandOptions): Deno.ChildProcess {
    const child = new Deno.Command(program, {
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      clearEnv: true,
      detached: true,
      ...options,
    }).spawn();
    this.#marks = [...this.#marks.filter(isAlive), markOf(child.pid)];
    try {
      replaceFile(this.#file, JSON.stringify(this.#marks));
    } catch (error) {
      console.error(`${program} is running, but we couldn't add it to the list of processes:`, error); // a full disk must not stop the start
    }
    return child;
  }

  /** Kills all at once without waiting. */
  kill(): void {
    for (const { pid } of this.#marks.filter(isAlive)) Deno.kill(pid, "SIGQUIT");
  }

  async end(child: Deno.ChildProcess, signal: Deno.Signal, timeoutMs: number): Promise<void> {
    const mark = this.#marks.find(({ pid }) => pid === child.pid);
    if (mark) await endProcess(mark, signal as NodeJS.Signals, timeoutMs);
    await child.status;
  }
}

const inherited = ["PATH", "HOME", "TMPDIR", "LANG", "DENO_DIR", "USER", "LD_PRELOAD", "NSS_WRAPPER_PASSWD", "NSS_WRAPPER_GROUP"];

export const basicEnvironment = (): Record<string, string> =>
  Object.fromEntries(inherited.flatMap((name) => (Deno.env.has(name) ? [[name, Deno.env.get(name)!]] : [])));
