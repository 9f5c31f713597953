import fs from "node:fs";
import path from "node:path";
import { format } from "node:util";

export interface Log {
  write(text: string): void;
}

const largestFile = 20_000_000; // bytes
const pauseAfterFault = 1_000; // ms
const longestWait = 50; // ms; lines are buffered until then

class LogFile implements Log {
  readonly #path: string;
  #stream: fs.WriteStream;
  #size: number;
  #waiting = "";
  /** Pauses writes after a failure. */
  #failedAt = 0;

  constructor(file: string) {
    this.#path = file;
    this.#size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.#stream = this.#open();
  }

  write(text: string): void {
    if (this.#waiting === "") setTimeout(() => this.#flush(), longestWait);
    this.#waiting += text;
  }

  end(): void {
    this.#flush();
    this.#stream.end();
  }

  #flush(): void {
    const text = this.#waiting;
    this.#waiting = "";
    if (text === "") return;
    if (this.#stream.destroyed) {
      if (Date.now() < this.#failedAt + pauseAfterFault) return;
      this.#stream = this.#open();
    }
    this.#size += text.length;
    if (this.#size > largestFile) {
      this.#stream.end();
      this.#putAside();
      this.#size = text.length;
      this.#stream = this.#open();
    }
    this.#stream.write(text);
  }

  #putAside(): void {
    if (fs.existsSync(this.#path)) fs.renameSync(this.#path, this.#path.replace(/\.log$/, ".1.log"));
  }

  #open(): fs.WriteStream {
    const stream = fs.createWriteStream(this.#path, { flags: "a", mode: 0o600 });
    return stream.on("error", () => {
      this.#failedAt = Date.now();
      stream.destroy();
    });
  }
}

export class Logs {
  readonly #folder: string;
  readonly #open = new Map<string, LogFile>();

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, "logs");
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  of(name: string): Log {
    const file = this.#open.get(name) ?? new LogFile(path.join(this.#folder, `${name}.log`));
    this.#open.set(name, file);
    return file;
  }

  close(): void {
    for (const file of this.#open.values()) file.end();
  }
}

/** Redirects console output to a log; only `tell` prints to the terminal. */
export function keepConsoleIn(log: Log): void {
  const write = (...values: unknown[]) => log.write(`${new Date().toISOString()} ${format(...values.map(withoutDetail))}\n`);
  Object.assign(console, { log: write, info: write, warn: write, error: write, debug: write });
}

/** An error's stack, code and causes, without Postgres' detail, which contains row values. */
export function withoutDetail(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("message" in value)) return value;
  const { name, message, stack, code, cause, errors } = value as Partial<Error> & { code?: unknown; errors?: unknown };
  const causes = [cause, ...(Array.isArray(errors) ? errors : [])].filter((one) => one !== undefined);
  const text = stack ?? `${name ?? "Error"}: ${String(message)}`;
  const suffix = typeof code === "string" ? ` [${code}]` : "";
  return [text + suffix, ...causes.map((one) => `caused by ${format(withoutDetail(one))}`)].join("\n");
}

export function tell(line: string, where: "stdout" | "stderr" = "stderr"): void {
  try {
    fs.writeSync(where === "stdout" ? 1 : 2, `${line}\n`);
  } catch {
    // the terminal is closed
  }
}

export async function pump(from: ReadableStream<Uint8Array>, to: Log, seen: (text: string) => void = () => {}): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of from) {
    const text = decoder.decode(chunk, { stream: true });
    to.write(text);
    seen(text);
  }
}
