import http from "node:http";
import { quantile } from "../report.ts";

export interface Neighbour {
  port: number;
  subdomain: string;
  slugs: string[];
  writers: { token: string; postId: string }[];
}

interface Call {
  port: number;
  host: string;
  path: string;
  token?: string;
  body?: string;
}

export interface Calls {
  page: (at: number) => Call;
  save: (at: number) => Call;
}

export interface Times {
  page: number[];
  save: number[];
  failed: number;
}

export const p99 = (milliseconds: number[]): number => quantile(milliseconds, 0.99);

const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });

function timed({ port, host, path, token, body }: Call): Promise<{ ms: number; ok: boolean }> {
  const began = performance.now();
  const headers = {
    host: `${host}:${port}`,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve) => {
    const done = (ok: boolean) => resolve({ ms: performance.now() - began, ok });
    const request = http.request({ host: "127.0.0.1", port, agent, path, method: body ? "PUT" : "GET", headers }, (answer) =>
      answer.resume().on("end", () => done(answer.statusCode === 200)),
    );
    request.on("error", () => done(false)).end(body);
  });
}

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

const changed = (at: number): string => {
  const content_raw = JSON.stringify({ blocks: [{ type: "paragraph", data: { text: `Words ${at} of somebody who only writes.` } }] });
  return JSON.stringify({ content_raw });
};

export function callsOf({ port, subdomain, slugs, writers }: Neighbour): Calls {
  const paths = ["/releases", ...slugs.map((slug) => `/releases/${slug}`), "/releases/rss.xml", "/releases/widget.json"];
  return {
    page: (at) => ({ port, host: `${subdomain}.localhost`, path: turn(paths, at) }),
    save: (at) => ({
      port,
      host: "localhost",
      path: `/api/posts/${turn(writers, at).postId}`,
      token: turn(writers, at).token,
      body: changed(at),
    }),
  };
}

export async function live(calls: Calls, ms: number, pause = { page: 20, save: 75 }): Promise<Times> {
  const waiting: Promise<unknown>[] = [];
  const times: Times = { page: [], save: [], failed: 0 };
  const note = (kind: "page" | "save", call: Call) => {
    waiting.push(
      timed(call).then(({ ms: took, ok }) => {
        times[kind].push(took);
        if (!ok) times.failed++;
      }),
    );
  };
  let at = 0;
  const pages = setInterval(() => note("page", calls.page(at++)), pause.page);
  const saves = setInterval(() => note("save", calls.save(at++)), pause.save);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(pages);
  clearInterval(saves);
  await Promise.all(waiting);
  return times;
}
