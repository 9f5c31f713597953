import { describe, expect, test, vi } from "vitest";
import { SharedCache } from "./shared-cache.ts";

function part(initial: string, headers: Record<string, string> = {}) {
  const state = { body: initial, requests: 0 };
  const send = vi.fn(async (etag?: string) => {
    const own = { etag: `"${state.body}"`, "cache-control": "public, max-age=0", "x-request-id": `r-${++state.requests}`, ...headers };
    const isSame = etag === own.etag;
    return new Response(isSame ? null : state.body, {
      status: isSame ? 304 : 200,
      headers: isSame ? own : { ...own, "x-page": state.body, "content-length": String(state.body.length) },
    });
  });
  return { state, send };
}

const page = "http://acme.localhost/releases";
const get = (headers: Record<string, string> = {}, method = "GET") => new Request(page, { method, headers });
const textsOf = async (answers: Promise<Response>[]) => await Promise.all(answers.map(async (answer) => await (await answer).text()));

describe("SharedCache", () => {
  test("sends a valid stored body with its own headers and those of the 304", async () => {
    const [cache, { send }] = [new SharedCache(), part("one")];
    await cache.answer(get(), page, send);
    const again = await cache.answer(get(), page, send);
    expect(send.mock.calls).toEqual([[undefined], ['"one"']]);
    expect([again.status, await again.text()]).toEqual([200, "one"]);
    expect(Object.fromEntries(again.headers)).toMatchObject({ etag: '"one"', "x-page": "one", "x-request-id": "r-2" });
  });

  test("sends the new body once the part has one", async () => {
    const [cache, { state, send }] = [new SharedCache(), part("one")];
    await cache.answer(get(), page, send);
    state.body = "two";
    expect(await textsOf([cache.answer(get(), page, send)])).toEqual(["two"]);
    expect(await textsOf([cache.answer(get(), page, send)])).toEqual(["two"]);
    expect(send.mock.calls.map(([etag]) => etag)).toEqual([undefined, '"one"', '"two"']);
  });

  test.each([
    ["a URL", get(), "http://other.localhost/releases"],
    ["an Accept", get({ accept: "text/markdown" }), page],
    ["an Origin", get({ origin: "https://acme.example" }), page],
    ["a Sec-Fetch-Site", get({ "sec-fetch-site": "same-origin" }), page],
  ])("separates responses by %s", async (_, request, url) => {
    const [cache, { send }] = [new SharedCache(), part("one")];
    await cache.answer(get(), page, send);
    await cache.answer(request, url, send);
    expect(send.mock.calls).toEqual([[undefined], [undefined]]);
  });

  test.each([
    ["a client's If-None-Match", get({ "if-none-match": '"mine"' })],
    ["HEAD", get({}, "HEAD")],
    ["a Range", get({ range: "bytes=0-1" })],
  ])("passes %s through", async (_, request) => {
    const [cache, { send }] = [new SharedCache(), part("one")];
    await cache.answer(get(), page, send);
    await cache.answer(request, page, send);
    expect(send.mock.calls[1]).toEqual([]);
  });

  test.each(["private, no-store", "no-store", "private"])("doesn't store responses with %s", async (said) => {
    const [cache, { send }] = [new SharedCache(), part("one", { "cache-control": said })];
    await cache.answer(get(), page, send);
    await cache.answer(get(), page, send);
    expect(send.mock.calls).toEqual([[undefined], [undefined]]);
  });

  test("doesn't store errors", async () => {
    const cache = new SharedCache();
    const send = vi.fn(async (_etag?: string) => new Response("away", { status: 503, headers: { etag: '"away"', "content-length": "4" } }));
    await cache.answer(get(), page, send);
    await cache.answer(get(), page, send);
    expect(send.mock.calls).toEqual([[undefined], [undefined]]);
  });
});
