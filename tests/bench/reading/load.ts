import net from "node:net";

export interface Result {
  rate: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

export interface Target {
  port: number;
  host: string;
  path: string;
  headers?: Record<string, string>;
  vary?: (nth: number) => Pick<Target, "path" | "headers">;
}

export async function load(target: Target, { connections = 10, ms = 4_000 } = {}): Promise<Result> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const began = performance.now();
  const end = began + ms;
  const record = (status: string, took: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(took);
  };
  let asked = 0;
  await Promise.all(Array.from({ length: connections }, () => ask(target, end, record, () => asked++)));
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { rate: (times.length * 1_000) / (performance.now() - began), p50: at(0.5), p99: at(0.99), statuses };
}

function questionOf({ path, host, headers = {} }: Target): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

const blankLine = Buffer.from("\r\n\r\n");

/** One connection. Parses only the end of a response, to keep the load generator cheap. */
function ask(target: Target, end: number, record: (status: string, took: number) => void, next: () => number): Promise<void> {
  const { port, vary } = target;
  const question = questionOf(target);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
    let sent = 0;
    let head: Buffer = Buffer.alloc(0);
    let status = "";
    let left: number | null = null;
    const send = (): void => {
      if (performance.now() >= end) return void socket.end();
      sent = performance.now();
      head = Buffer.alloc(0);
      left = null;
      socket.write(vary ? questionOf({ ...target, ...vary(next()) }) : question);
    };
    socket
      .on("connect", send)
      .on("error", reject)
      .on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      if (left !== null) left -= chunk.length;
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const at = head.indexOf(blankLine);
        if (at < 0) return;
        const text = head.toString("latin1", 0, at);
        status = text.slice(9, 12);
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
        if (length === undefined && status !== "304") return reject(new Error(`no content-length: ${text}`));
        left = Number(length ?? 0) - (head.length - at - blankLine.length);
        if (status === "304") left = 0;
      }
      if (left > 0) return;
      record(status, performance.now() - sent);
      send();
    });
  });
}
