import { describe, expect, test } from "vitest";
import { applyRange, parseRange } from "./range.ts";

describe("a Range header for 100 bytes", () => {
  test.each([
    ["bytes=0-9", { start: 0, end: 9 }],
    ["bytes=90-", { start: 90, end: 99 }],
    ["bytes=-10", { start: 90, end: 99 }],
    ["bytes=-1000", { start: 0, end: 99 }],
    ["bytes=50-1000", { start: 50, end: 99 }],
    ["bytes=99-99", { start: 99, end: 99 }],
  ])("%s means %o", (header, range) => expect(parseRange(header, 100)).toEqual(range));

  test.each([null, "", "bytes=", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=9-3"])("%s means the whole file", (header) =>
    expect(parseRange(header, 100)).toBeNull(),
  );

  test.each(["bytes=100-", "bytes=100-200", "bytes=-0"])("%s is unsatisfiable", (header) =>
    expect(parseRange(header, 100)).toBe("unsatisfiable"),
  );

  test("an empty file has no range", () => expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable"));
});

describe("an answer cut down to a range", () => {
  const whole = () => new Response("0123456789", { headers: { etag: '"a"', "content-type": "text/plain" } });
  const asking = (headers: Record<string, string>) => new Request("http://localhost/file", { headers });

  test("carries the bytes, their place and the type", async () => {
    const answer = await applyRange(asking({ range: "bytes=2-4" }), whole());
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe("234");
    expect(Object.fromEntries(answer.headers)).toMatchObject({ "content-range": "bytes 2-4/10", "content-type": "text/plain" });
  });

  test("is complete if the file changed", async () => {
    expect((await applyRange(asking({ range: "bytes=2-4", "if-range": '"b"' }), whole())).status).toBe(200);
    expect((await applyRange(asking({ range: "bytes=2-4", "if-range": '"a"' }), whole())).status).toBe(206);
  });

  test("is 416 beyond the end", async () => {
    const answer = await applyRange(asking({ range: "bytes=10-" }), whole());
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */10"]);
  });

  test("leaves errors unchanged", async () =>
    expect((await applyRange(asking({ range: "bytes=0-1" }), new Response("no", { status: 404 }))).status).toBe(404));
});
