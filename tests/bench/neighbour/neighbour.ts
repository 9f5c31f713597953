import http from "node:http";
import { quantile } from "../report.ts";

/** A workspace that minds its own business. */
export interface Neighbour {
  port: number;
  subdomain: string;
  slugs: string[];
  writers: { token: string; postId: string }[];
}

export interface Times {
  page: number;
  save: number;
  /** Answers other than 200. */
  failed: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });

function timed(
  port: number,
  host: string,
  path: string,
  options: { token?: string; body?: string } = {},
): Promise<{ ms: number; ok: boolean }> {
  const { token, body } = options;
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

/** Readers and writers come at their own pace, whether they are answered or not; what the 99th of a hundred waits, in milliseconds. */
export async function live({ port, subdomain, slugs, writers }: Neighbour, ms: number, pause = { page: 20, save: 100 }): Promise<Times> {
  const waiting: Promise<unknown>[] = [];
  const times: Record<"page" | "save", number[]> = { page: [], save: [] };
  let failed = 0;
  const note = (kind: "page" | "save", asked: Promise<{ ms: number; ok: boolean }>) =>
    waiting.push(
      asked.then(({ ms: took, ok }) => {
        times[kind].push(took);
        if (!ok) failed++;
      }),
    );
  let at = 0;
  const paths = ["/releases", ...slugs.map((slug) => `/releases/${slug}`), "/releases/rss.xml", "/releases/widget.json"];
  const pages = setInterval(() => note("page", timed(port, `${subdomain}.localhost`, paths[at++ % paths.length]!)), pause.page);
  const saves = setInterval(() => {
    const { token, postId } = writers[at++ % writers.length]!;
    const content_raw = JSON.stringify({ blocks: [{ type: "paragraph", data: { text: `Words ${at} of somebody who only writes.` } }] });
    note("save", timed(port, "localhost", `/api/posts/${postId}`, { token, body: JSON.stringify({ content_raw }) }));
  }, pause.save);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(pages);
  clearInterval(saves);
  await Promise.all(waiting);
  return { page: quantile(times.page, 0.99), save: quantile(times.save, 0.99), failed };
}
