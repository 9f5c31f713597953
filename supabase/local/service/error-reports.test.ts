import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createReport, faultsIn } from "./error-reports.ts";

let heard: { path: string; key: string; lines: string[] }[] = [];
const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    heard.push({ path: request.url!, key: String(request.headers["x-sentry-auth"]), lines: body.split("\n") });
    response.end("{}");
  });
});
let dsn: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  dsn = `http://key@127.0.0.1:${(server.address() as AddressInfo).port}/errors/7`;
});
beforeEach(() => (heard = []));
afterAll(() => server.close());

test("an error is sent as an envelope with its part and request", async () => {
  createReport(dsn, "1.2.3")!("api", { name: "Error", message: "it broke" }, "id-1");
  await expect.poll(() => heard.length).toBe(1);
  expect([heard[0]!.path, heard[0]!.key]).toEqual(["/errors/api/7/envelope/", "Sentry sentry_version=7, sentry_key=key"]);
  expect(JSON.parse(heard[0]!.lines[2]!)).toMatchObject({
    release: "tidings@1.2.3",
    tags: { part: "api", request_id: "id-1" },
    exception: { values: [{ type: "Error", value: "it broke" }] },
  });
});

test("reports are limited", async () => {
  const report = createReport(dsn, "1.2.3")!;
  for (let count = 0; count < 200; count++) report("api", { name: "Error", message: String(count) });
  await expect.poll(() => heard.length).toBe(30);
});

test("a continuing error is reported every minute, and others too", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const report = createReport(dsn, "1.2.3")!;
    for (let second = 0; second < 600; second++) {
      vi.setSystemTime(second * 1_000);
      report("api", { name: "Error", message: second === 545 ? "another" : "the same" });
    }
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(300);
    expect(heard.filter(({ lines }) => lines[2]!.includes("another"))).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test("createReport returns null without a DSN and rejects an invalid one", () => {
  expect(createReport(undefined, "1")).toBeNull();
  expect(() => createReport("sentry.example", "1")).toThrow("SENTRY_DSN must look like https://key@host/1.");
});

test("faultsIn finds errors in a log that arrives in chunks", () => {
  const found: string[] = [];
  const see = faultsIn(({ message }, id) => found.push(`${id} ${message}`));
  const line = JSON.stringify({ level: "error", time: "now", event: "fault", id: "id-2", fault: { name: "Error", message: "in two" } });
  for (const piece of ["starting\n", line.slice(0, 40), `${line.slice(40)}\n{"event":"request"}\n`, '"event":"fault" is not JSON\n'])
    see(piece);
  expect(found).toEqual(["id-2 in two"]);
});
