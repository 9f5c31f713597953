import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Packing } from "./packing.ts";

const text = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(" ");
const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=0", etag: 'W/"one"' };

/** What a part has answered; `read` says whether anybody has read it, `left` whether it was let go. */
function answered(body: string, more: Record<string, string> = {}): { answer: Response; read: () => boolean; left: () => boolean } {
  let isRead = false;
  let isLeft = false;
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isRead = true;
        controller.enqueue(bytes);
        controller.close();
      },
      cancel: () => void (isLeft = true),
    },
    { highWaterMark: 0 },
  );
  const answer = new Response(stream, { headers: { ...headers, "content-length": String(bytes.length), ...more } });
  return { answer, read: () => isRead, left: () => isLeft };
}

const ask = (path = "/releases/rss.xml", encodings = "gzip") =>
  new Request(`http://acme.localhost${path}`, { headers: { "accept-encoding": encodings } });
const unpacked = async (answer: Response) => gunzipSync(new Uint8Array(await answer.arrayBuffer())).toString();

describe("a large answer", () => {
  test("comes packed, with the length of that", async () => {
    const packed = await new Packing().pack(ask(), answered(text).answer, "acme");
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(Number(packed.headers.get("content-length"))).toBe((await packed.clone().arrayBuffer()).byteLength);
    expect(await unpacked(packed)).toBe(text);
  });

  test("is packed once for all who read the same", async () => {
    const packing = new Packing();
    await packing.pack(ask(), answered(text).answer, "acme");
    const second = answered(text);
    expect(await unpacked(await packing.pack(ask(), second.answer, "acme"))).toBe(text);
    expect([second.read(), second.left()]).toEqual([false, true]);
  });

  test.each([
    ["of another owner", ask(), {}, "other"],
    ["at another address", ask("/releases/atom.xml"), {}, "acme"],
    ["with another ETag", ask(), { etag: 'W/"two"' }, "acme"],
    ["of one reader alone", ask(), { "cache-control": "private, no-store" }, "acme"],
  ])("%s is packed anew", async (_, asked, more, owner) => {
    const packing = new Packing();
    await packing.pack(ask(), answered(text).answer, "acme");
    const other = text.replaceAll("word", "term");
    expect(await unpacked(await packing.pack(asked, answered(other, more).answer, owner))).toBe(other);
  });

  test("of one reader alone is not kept for the next", async () => {
    const packing = new Packing();
    const own = { "cache-control": "private, no-store" };
    await packing.pack(ask(), answered(text, own).answer, "acme");
    const other = text.replaceAll("word", "term");
    expect(await unpacked(await packing.pack(ask(), answered(other, own).answer, "acme"))).toBe(other);
  });

  test("is packed once for all who come while it is made", async () => {
    const packing = new Packing();
    const sent = Array.from({ length: 300 }, () => answered(text)); // more than may wait for a turn
    const packed = await Promise.all(sent.map(({ answer }) => packing.pack(ask(), answer, "acme")));
    expect(await Promise.all(packed.map(unpacked))).toEqual(sent.map(() => text));
    expect(sent.map(({ read }) => read())).toEqual([true, ...Array<boolean>(299).fill(false)]);
  });

  test("that breaks off is told to those who wait for it, and made anew for the next", async () => {
    const packing = new Packing();
    const broken = () => {
      const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("broken off")) });
      return new Response(stream, { headers: { ...headers, "content-length": "100000" } });
    };
    const both = await Promise.allSettled([packing.pack(ask(), broken(), "acme"), packing.pack(ask(), broken(), "acme")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await unpacked(await packing.pack(ask(), answered(text).answer, "acme"))).toBe(text);
  });

  test("comes smaller still to who reads Brotli, for everybody or for one reader, long or a file of ours", async () => {
    const packing = new Packing();
    for (const encodings of ["gzip, deflate, br", "br"])
      for (const caching of ["public, max-age=0", "private, no-store"])
        for (const owner of ["acme", null]) {
          const packed = await packing.pack(ask("/", encodings), answered(text, { "cache-control": caching }).answer, owner);
          expect([encodings, caching, packed.headers.get("content-encoding")]).toEqual([encodings, caching, "br"]);
          expect(brotliDecompressSync(new Uint8Array(await packed.arrayBuffer())).toString()).toBe(text);
        }
    expect(await unpacked(await packing.pack(ask("/", "gzip"), answered(text).answer, "acme"))).toBe(text);
  });

  test("has a weak tag once it is packed, and no ranges", async () => {
    const ofFile = { etag: '"file"', "accept-ranges": "bytes" };
    for (const [tag, more] of [
      ['W/"one"', {}],
      ['W/"file"', ofFile],
    ] as const) {
      const { headers } = await new Packing().pack(ask(), answered(text, more).answer, "acme");
      expect([headers.get("etag"), headers.get("accept-ranges")]).toEqual([tag, null]);
    }
  });

  test("is known again by the place that is named, whatever the address adds", async () => {
    const packing = new Packing();
    await packing.pack(ask("/assets/app.js?1"), answered(text).answer, null, "/assets/app.js");
    const second = answered(text);
    await packing.pack(ask("/assets/app.js?2"), second.answer, null, "/assets/app.js");
    expect(second.read()).toBe(false);
  });

  test("goes as it is to who reads neither, and nobody packs it on the way", async () => {
    for (const encodings of ["", "zstd", "gzip;q=0, br;q=0", "gzip; q=0.0", "xgzip"]) {
      const answer = await new Packing().pack(ask("/", encodings), answered(text).answer, "acme");
      expect([encodings, answer.headers.get("content-encoding")]).toEqual([encodings, null]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=0, no-transform");
      expect(await answer.text()).toBe(text);
    }
  });

  test("is packed for who reads gzip alone", async () => {
    for (const encodings of ["gzip", "br;q=0,gzip;q=0.5", "deflate, GZIP ; q=0.1"]) {
      const answer = await new Packing().pack(ask("/", encodings), answered(text).answer, "acme");
      expect([encodings, answer.headers.get("content-encoding")]).toEqual([encodings, "gzip"]);
    }
  });

  test("of more than a megabyte goes as it is when it is for one reader, of more than four for everybody", async () => {
    const own = { "cache-control": "private, no-store" };
    const encodings = [answered(text.repeat(7), own), answered(text.repeat(7)), answered(text.repeat(30))].map(async ({ answer }) => {
      const { headers } = await new Packing().pack(ask(), answer, "acme");
      return [headers.get("content-encoding"), /no-transform/.test(headers.get("cache-control") ?? "")];
    });
    expect(await Promise.all(encodings)).toEqual([
      [null, true],
      ["gzip", false],
      [null, true],
    ]);
  });
});

describe("a short answer", () => {
  const short = text.slice(0, 20_000);

  test("is packed once for all who may read it, and the connection it came by is good for the next", async () => {
    const packing = new Packing();
    const [first, second] = [answered(short), answered(short)];
    for (const { answer } of [first, second]) expect(await unpacked(await packing.pack(ask(), answer, "acme"))).toBe(short);
    expect([second.read(), second.left()]).toEqual([true, false]);
  });

  test("is left to the server when it is for one reader, and stays as it is for who reads no packing", async () => {
    const own = answered(short, { "cache-control": "private, no-store" }).answer;
    expect(await new Packing().pack(ask(), own, "acme")).toBe(own);
    const plain = answered(short).answer;
    expect(await new Packing().pack(ask("/", ""), plain, "acme")).toBe(plain);
  });
});

test.each([
  ["very short", answered("short").answer],
  ["a picture", answered(text, { "content-type": "image/png" }).answer],
  ["packed already", answered(text, { "content-encoding": "br" }).answer],
  ["not to be changed", answered(text, { "cache-control": "no-transform" }).answer],
])("an answer that is %s stays as it is", async (_, answer) => {
  expect(await new Packing().pack(ask(), answer, "acme")).toBe(answer);
});
