import { fc, test } from "../tests/support/properties.ts";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { hostileParts } from "../tests/support/hostile-parts.ts";
import { importedPost } from "#contract/imports.ts";
import { adapters } from "./adapters/all.ts";
import { type Adapter, ImportProblem, type ReadSource } from "./entry.ts";
import { prepare } from "./to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const golden = path.join(import.meta.dirname, "fixtures");
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const files = readdirSync(golden).flatMap((source) =>
  readdirSync(path.join(golden, source))
    .filter((name) => !name.endsWith(".expected.json") && statSync(path.join(golden, source, name)).isFile())
    .map((name) => ({ source, name, bytes: new Uint8Array(readFileSync(path.join(golden, source, name))) })),
);

function read(adapter: Adapter, name: string, bytes: Uint8Array): ReadSource | null {
  try {
    expect([0, 1, 2]).toContain(adapter.recognizes([{ name, bytes }]));
    return adapter.read([{ name, bytes }], { now, address: "https://old.example/log" });
  } catch (error) {
    expect(error).toBeInstanceOf(ImportProblem);
    expect((error as Error).message).toMatch(/^[\p{L}\p{N}“"].{8,}$/su);
    return null;
  }
}

async function check(adapter: Adapter, name: string, bytes: Uint8Array): Promise<void> {
  const found = read(adapter, name, bytes);
  expect(new Set(found?.entries.map(({ external_id }) => external_id)).size).toBe(found?.entries.length ?? 0);
  for (const entry of found?.entries.slice(0, 5) ?? []) {
    const { post, problem } = await prepare(entry, { now });
    if (problem === null) importedPost.parse(post);
  }
}

const changes = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1e308,
  "",
  "x",
  [],
  {},
  [[]],
  [null],
  { name: 1 },
  true,
  "2024-13-45",
  "__proto__",
  "constructor",
  "\ud800",
);

describe.each(adapters)("$source", (adapter) => {
  const own = files.filter(({ source }) => source === adapter.source);

  test.prop(
    [
      fc.constantFrom(...own),
      fc.nat(),
      fc.nat({ max: 400 }),
      fc.oneof(fc.constantFrom(...hostileParts, "", "<", "]]>", '"', "{", "}", "\0"), fc.string()),
    ],
    {
      numRuns: 60,
    },
  )("accepts any text anywhere in a file", async ({ name, bytes }, at, length, other) => {
    const text = textOf(bytes);
    const start = at % (text.length + 1);
    await check(adapter, name, Buffer.from(text.slice(0, start) + other.slice(0, 2_000) + text.slice(start + length), "latin1"));
  });

  const json = own.filter(({ name, bytes }) => {
    try {
      return name.endsWith("json") && typeof JSON.parse(new TextDecoder().decode(bytes)) === "object";
    } catch {
      return false;
    }
  });
  if (json.length > 0) {
    test.prop([fc.constantFrom(...json), fc.nat(), changes], { numRuns: 120 })(
      "accepts any value in any field",
      async ({ name, bytes }, at, other) => {
        let count = 0;
        JSON.parse(new TextDecoder().decode(bytes), () => void count++);
        let place = 0;
        const changed: unknown = JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
          place++ === at % count ? other : value,
        );
        await check(adapter, name, new TextEncoder().encode(JSON.stringify(changed)));
      },
    );
  }

  test.prop([fc.uint8Array({ maxLength: 300 })], { numRuns: 30 })("accepts any bytes", async (bytes) => {
    await check(adapter, "any.bin", bytes);
  });
});
