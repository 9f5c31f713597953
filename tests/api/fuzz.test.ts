import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, inject, test } from "vitest";
import { errorBody } from "#contract/error-body.ts";
import { fc, seed } from "../support/properties.ts";
import { Client } from "./support/client.ts";
import { signedInBrowser } from "./support/people.ts";
import { newPlace } from "./support/places.ts";
import { allEndpoints, type NamedEndpoint, type Place, placeAt, samples } from "./support/samples.ts";

const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const inParallel = 8;
const { url, pids } = inject("stack");

let place: Place;
let callers: Client[];
beforeAll(async () => {
  const made = await newPlace();
  place = made.place;
  const { team } = made;
  callers = [
    team.owner.api,
    team.owner.api,
    team.editor.api,
    team.viewer.api,
    await signedInBrowser(team.admin),
    new Client(url),
    new Client(url, "x.y.z"),
  ];
});

const ends = new Set(["workspaces.remove", "team.leave", "team.removeMember", "team.handOver"]);

const nasty = fc.constantFrom(
  "",
  "\u0000",
  "\ud800",
  "' or 1=1 --",
  "../../etc/passwd",
  "%00",
  "{}",
  "[]",
  "NaN",
  "1e400",
  "-1",
  "9".repeat(40),
  "\u202e",
  "x".repeat(9_000),
);
const text = fc.oneof(fc.string({ unit: "binary" }), nasty);
const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), text, fc.constantFrom(null, [], {}, Number.MAX_SAFE_INTEGER, -0.5));
const inPath = text.filter((value) => value.isWellFormed() && value !== "" && value !== "." && value !== "..");

interface Attempt {
  call: NamedEndpoint;
  caller: number;
  params: Record<string, string>;
  query: [string, string][];
  body: unknown;
  raw: string | null;
  type: string;
  key: string | null;
}

const bodyOf = (valid: Record<string, unknown>): fc.Arbitrary<unknown> => {
  const names = Object.keys(valid);
  const changes = fc.dictionary(fc.constantFrom(...names, "status", "version", "publish_at", "__proto__"), json, { maxKeys: 4 });
  return fc.oneof({ weight: 4, arbitrary: changes.map((changed) => ({ ...valid, ...changed })) }, { weight: 1, arbitrary: json });
};

const attempt: fc.Arbitrary<Attempt> = fc.constantFrom(...allEndpoints).chain((call) => {
  const { params = {}, body = {} } = samples[call.name]?.(ends.has(call.name) ? placeAt(randomUUID()) : place) ?? {};
  const path = fc.record(
    Object.fromEntries(
      [...call.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
        const valid = params[name!] ?? "x";
        return [name!, fc.oneof({ weight: 3, arbitrary: fc.constant(valid) }, { weight: 1, arbitrary: inPath })];
      }),
    ),
  );
  return fc.record({
    call: fc.constant(call),
    caller: fc.nat(callers.length - 1),
    params: path as fc.Arbitrary<Record<string, string>>,
    query: fc.array(
      fc.tuple(
        fc.constantFrom("page", "limit", "status", "q", "version", "purge", "workspaceId", "subdomain", "next", "from", "to", "x"),
        text.map((value) => value.slice(0, 500)),
      ),
      { maxLength: 3 },
    ),
    body: bodyOf(body),
    raw: fc.option(text, { freq: 8 }),
    type: fc.constantFrom(
      "application/json",
      "application/json",
      "application/json; charset=utf-16",
      "text/plain",
      "multipart/form-data; boundary=x",
      "x",
    ),
    key: fc.option(fc.constantFrom("k", "x".repeat(300), "k 1"), { freq: 8 }),
  });
});

async function send({ call, caller, params, query, body, raw, type, key }: Attempt) {
  const path = call.endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()])).toString();
  const isGet = call.endpoint.method === "GET";
  return await callers[caller]!.send(call.endpoint.method, search ? `${path}?${search}` : path, {
    body: isGet ? undefined : (raw ?? JSON.stringify(body) ?? ""),
    headers: { "content-type": type, "idempotency-key": key },
  });
}

const residentMegabytes = () => Number(execFileSync("ps", ["-o", "rss=", "-p", String(pids.functions.api)], { encoding: "utf8" })) / 1_024;
const leak =
  /\bat .+\.(ts|js):\d+|node_modules|\b(select|insert|update|delete)\b .+\b(from|into|set)\b|PGRST|relation "|column "|violates|syntax error at|supabase_admin|service_role/i;

test(
  `${requests} malformed requests cause no server error and reveal nothing (FUZZ_SEED=${seed})`,
  { timeout: 60_000 + requests * 100 },
  async () => {
    const attempts = fc.sample(attempt, { numRuns: requests, seed });
    const statuses = new Map<number, number>();
    let settled = 0;
    const work = async () => {
      for (let next = attempts.pop(); next; next = attempts.pop()) {
        const { status, body } = await send(next);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const told = JSON.stringify(body);
        if (status >= 500 || (status >= 400 && (!errorBody.safeParse(body).success || leak.test(told))))
          throw new Error(`${status} ${told}\n${JSON.stringify({ ...next, call: next.call.name }).slice(0, 2_000)}`);
        if (attempts.length === Math.floor(requests / 2)) settled = residentMegabytes();
      }
    };
    await Promise.all(Array.from({ length: inParallel }, work));
    const grown = residentMegabytes() - settled;
    console.log(
      `fuzz: ${[...statuses]
        .sort()
        .map(([status, count]) => `${status}×${count}`)
        .join(" ")}; memory ${grown.toFixed(1)} MB over the second half`,
    );
    expect(grown).toBeLessThan(100); // other files use the process meanwhile
  },
);
