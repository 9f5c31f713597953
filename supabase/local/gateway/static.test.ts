import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("Deno", { readFileSync: (file: string) => new Uint8Array(readFileSync(file)) }));
const module = "static"; // not type-checked: tsc has no Deno types
const { serveStatic } = (await import(`../gateway/${module}.ts`)) as {
  serveStatic(request: Request, folder: string, pathname: string): Response;
};

const folder = mkdtempSync(path.join(tmpdir(), "tidings-static-"));
beforeAll(() => {
  for (const [name, content] of Object.entries({ "app.js": "plain", "app.js.br": "as Brotli", "app.js.gz": "as gzip", "bare.js": "plain" }))
    writeFileSync(path.join(folder, name), content);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["app.js", "gzip, deflate, br", "br", "as Brotli"],
  ["app.js", "gzip", "gzip", "as gzip"],
  ["app.js", "br;q=0, gzip;q=0.5", "gzip", "as gzip"],
  ["app.js", "identity", null, "plain"],
  ["bare.js", "gzip, br", null, "plain"],
])("%s for a client that accepts %s is sent as %s", async (name, accepted, encoding, content) => {
  const ask = (headers: Record<string, string>) => serveStatic(new Request("http://x", { headers }), folder, `/${name}`);
  const answer = ask({ "accept-encoding": accepted });
  expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([encoding, content]);
  expect(ask({ "accept-encoding": accepted, "if-none-match": answer.headers.get("etag")! }).status).toBe(304);
  expect(await ask({ "accept-encoding": accepted, range: "bytes=0-1" }).text()).toBe("pl");
});
