import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Access } from "#contract/rules/reader-access.ts";
import { freePort, type StackFile } from "../support/stack.ts";
import { newSession } from "./session.ts";

const secret = "Hello all";
const files = [
  "",
  ".json",
  ".md",
  ".feed.json",
  "/rss.xml",
  "/atom.xml",
  "/llms.txt",
  "/widget.json",
  "/compare/1.0.0...2.0.0",
  ".png",
  "?q=hello",
];
const ofPost = ["", ".json", ".md", ".widget.json", ".png"].map((ending) => `/hello-all${ending}`);
const paths = [...files, ...ofPost].map((ending) => `/releases${ending}`);

/**
 * nginx as a shared cache whose key is the URL alone, in front of the stack: it caches public pages, and never gives a private page or an access page to
 * another reader.
 */
export async function tryNginx({ ports, url, publicUrl }: StackFile, made: Awaited<ReturnType<typeof newSession>>): Promise<boolean> {
  const { token, key, workspaceId, subdomain } = made;
  const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-nginx-"));
  const port = await freePort();
  const settings = path.join(folder, "nginx.conf");
  writeFileSync(settings, settingsOf(folder, port, ports.gateway));
  const nginx = spawn("nginx", ["-c", settings, "-p", folder, "-e", path.join(folder, "error.log")], { stdio: "inherit" });
  const host = `${subdomain}.${new URL(publicUrl).host}`;
  const get = (place: string, cookie?: string): Promise<Reply> => ask({ port, path: place, headers: { host, ...(cookie && { cookie }) } });
  const send = async (method: string, address: string, bearer: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json", origin: publicUrl };
    const answer = await fetch(url + address, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  const setAccess = async (access: Access): Promise<string> => {
    const { link } = (await send("PUT", "/api/v1/access", key, { access })) as { link: string | null };
    return `tc-reader-${subdomain}=${link?.split("/").at(-1)}`;
  };
  const wrong: string[] = [];
  const expected = (what: string, isRight: boolean): void => void (isRight || wrong.push(what));

  try {
    for (const end = Date.now() + 10_000; Date.now() < end && (await get("/releases/access").catch(() => null)) === null;) await wait(100);
    await send("POST", "/api/public/changelog/toggle", token, { isPublic: true, workspaceId });
    await send("PUT", "/api/v1/posts/by-external-id/hello", key, {
      title: secret,
      slug: "hello-all",
      markdown: "First words.",
      status: "published",
    });
    let readable = 0;
    const reader = await setAccess("link");
    for (const place of paths) {
      expected(`${place}: stranger before the reader`, (await get(place)).status === 403);
      const own = await get(place, reader);
      readable += Number(own.status === 200 && own.body.includes(secret));
      for (const cookie of [undefined, `tc-reader-${subdomain}=${"A".repeat(48)}`]) {
        const { status, body, cached } = await get(place, cookie);
        expected(`${place}: stranger after the reader`, status === 403 && !body.includes(secret) && cached === "MISS");
      }
      expected(`${place}: the reader again`, (await get(place, reader)).status === own.status);
    }
    expected("private pages aren't readable at all", readable > 8);
    await setAccess("public");
    await get("/releases/hello-all");
    expected("public pages aren't cached at all", (await get("/releases/hello-all")).cached === "HIT");
    await setAccess("link");
    expected("a page that was public isn't asked for access at its origin", (await get("/releases/hello-all?fresh")).status === 403);
    console.log(`nginx: ${paths.length} addresses, ${readable} with the title for the reader; wrong: ${wrong.join("; ") || "none"}`);
    return wrong.length === 0;
  } finally {
    nginx.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settingsOf = (folder: string, port: number, upstream: number): string => `
daemon off; user root;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  proxy_cache_path ${folder}/cache keys_zone=pages:10m;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_set_header Host $http_host;
      proxy_cache pages;
      proxy_cache_key $http_host$request_uri;
      proxy_ignore_headers Vary;
      add_header x-cached $upstream_cache_status always;
    }
  }
}
`;

interface Reply {
  status: number;
  body: string;
  cached: string;
}

const ask = (options: http.RequestOptions): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", ...options }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, cached: String(answer.headers["x-cached"]) }));
    });
    request.on("error", reject);
  });
