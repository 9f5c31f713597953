import { describe, expect, test } from "vitest";
import { ServiceLoad } from "./service-load.ts";
import { limitedResults } from "../engine/lite/result-limit.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const person = (name: string) => new Headers({ authorization: `Bearer ${name}.b.c`, "content-type": "application/json" });
const key = new Headers({ authorization: "Bearer sb_publishable_x", "content-type": "application/json" });
const save = "/rest/v1/rpc/save_post";
const large = new TextEncoder().encode(JSON.stringify("x".repeat(100_000)));

/** Tokens of a to d are real. */
const newLoad = () => new ServiceLoad(1, (token) => Promise.resolve(/^[a-d]\./.test(token)));

/** How many of some calls were under way at once. */
async function most(load: ServiceLoad, calls: [Headers, Uint8Array | null][], path = save): Promise<number> {
  let open = 0;
  let highest = 0;
  const work = async () => {
    highest = Math.max(highest, ++open);
    await wait(5);
    open--;
    return new Response("ok");
  };
  await Promise.all(calls.map(([headers, body]) => load.carry(path, headers, "10.0.0.1", body, work)));
  return highest;
}

describe("what one person's calls of the services take", () => {
  test("large ones go one at a time, whoever makes them", async () => {
    const calls = ["a", "b", "c", "a"].map((name): [Headers, Uint8Array] => [person(name), large]);
    expect(await most(newLoad(), calls)).toBe(1);
  });
  test("who makes tokens up has one turn for all of them together", async () => {
    const load = newLoad();
    const order: string[] = [];
    const call = (name: string) =>
      load.carry(save, person(name), name === "b" ? "10.0.0.2" : "10.0.0.1", large, async () => {
        order.push(name);
        await wait(5);
        return new Response("ok");
      });
    await Promise.all(["made-up-1", "made-up-2", "made-up-3", "made-up-4", "b"].map(call));
    expect(order.indexOf("b")).toBeLessThan(3);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => call(`made-up-${index}`)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
  });
  test("of one person's small ones six are under way; those of keys are everybody's", async () => {
    const many = (headers: Headers) => Array.from({ length: 20 }, (): [Headers, null] => [headers, null]);
    expect(await most(newLoad(), many(person("a")))).toBe(6);
    expect(await most(newLoad(), many(key))).toBe(20);
  });
  test("whoever had a large answer waits for a turn with the next", async () => {
    const load = newLoad();
    load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 100_000);
    expect(
      await most(
        load,
        [...Array(4)].map((): [Headers, null] => [person("a"), null]),
      ),
    ).toBe(1);
    expect(
      await most(
        load,
        [...Array(4)].map((): [Headers, null] => [person("b"), null]),
      ),
    ).toBe(4);
  });
  test.each(["/rest/v1/post_revisions", "/rest/v1/rpc/export_posts", "/rest/v1/rpc/%65xport_posts"])(
    "of %s, which may be as long as one likes, one is read at once, two of people whose answers were short; saves go on",
    async (path) => {
      const load = newLoad();
      const people = ["a", "b", "c", "d", "a", "b"].map(person);
      const reads = people.map((headers): [Headers, null] => [headers, null]);
      const [reading, saving] = await Promise.all([most(load, reads, path), most(load, reads)]);
      expect([reading, saving]).toEqual([1, 6]); // nothing is known of anybody
      for (const headers of people) load.answered(save, headers, "10.0.0.1", 1_000);
      expect(await most(load, reads, path)).toBe(1); // short answers of other calls tell nothing of this one's
      for (const headers of people) load.answered(path, headers, "10.0.0.1", 1_000);
      expect(await most(load, reads, path)).toBe(2);
    },
  );
  test("such reads go one at a time, also of people whose answers were large, in turns; those of people with short answers do not wait", async () => {
    const load = newLoad();
    load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 100_000);
    load.answered("/rest/v1/posts", person("b"), "10.0.0.1", 100_000);
    load.answered("/rest/v1/posts", person("known"), "10.0.0.1", 1_000);
    const ends: string[] = [];
    let open = 0;
    let highest = 0;
    const read = (name: string) =>
      load.carry("/rest/v1/posts", person(name), "10.0.0.1", null, async () => {
        if (name !== "known") highest = Math.max(highest, ++open);
        await wait(10);
        if (name !== "known") open--;
        ends.push(name);
        return new Response("ok");
      });
    await Promise.all(["a", "b", "a", "b", "new", "also-new", "known"].map(read));
    expect(highest).toBe(1);
    expect(ends.indexOf("known")).toBeLessThan(2);
    expect(ends.slice(0, 6)).toContain("also-new"); // two large ones at most go before each of the two
  });
  test("a long read keeps no large save waiting, and the save of somebody who has read much", async () => {
    const load = newLoad();
    load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 100_000);
    load.answered("/rest/v1/posts", person("b"), "10.0.0.1", 100_000);
    const never = () => new Promise<Response>(() => {});
    for (const name of ["a", "new"]) void load.carry("/rest/v1/posts", person(name), "10.0.0.1", null, never);
    await wait(5);
    const save1 = load.carry(save, person("c"), "10.0.0.1", large, async () => new Response("saved"));
    const save2 = load.carry(save, person("b"), "10.0.0.1", null, async () => new Response("saved"));
    expect((await Promise.all([save1, save2])).map(({ status }) => status)).toEqual([200, 200]);
  });
  test("who reads one such answer after the other is no more often the next than others", async () => {
    const load = newLoad();
    const order: string[] = [];
    const read = (name: string) =>
      load.carry("/rest/v1/posts", person(name), "10.0.0.1", null, async () => {
        order.push(name);
        await wait(2);
        return new Response("ok");
      });
    await Promise.all(["a", "a", "a", "a", "a", "b", "c"].map(read));
    expect(order.slice(0, 4).toSorted()).toEqual(["a", "a", "b", "c"]);
  });
  test("who waits to read and is found to have had a large answer meanwhile goes on in turns, and holds nobody else up", async () => {
    const load = newLoad();
    const ends: string[] = [];
    const read = (name: string, work: () => Promise<void>) =>
      load.carry("/rest/v1/posts", person(name), "10.0.0.1", null, async () => {
        await work();
        ends.push(name);
        return new Response("ok");
      });
    const heavy = async () => {
      await wait(20);
      load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 100_000);
    };
    await Promise.all([...Array.from({ length: 4 }, () => read("a", heavy)), read("b", () => wait(1))]);
    expect(ends).toEqual(["a", "b", "a", "a", "a"]);
  });
  test("beyond a budget of bytes they are refused", async () => {
    const load = newLoad();
    load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 10_000_000);
    const answer = await load.carry(save, person("a"), "10.0.0.1", null, () => Promise.resolve(new Response("ok")));
    expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([429, true]);
  });
  test("and refused before their next body is read, which nobody else is", () => {
    const load = newLoad();
    expect(load.refusal(person("a"))).toBeNull();
    load.answered("/rest/v1/posts", person("a"), "10.0.0.1", 10_000_000);
    expect(load.refusal(person("a"))?.status).toBe(429);
    expect([load.refusal(person("b")), load.refusal(key), load.refusal(new Headers())]).toEqual([null, null, null]);
  });
  test("JSON of more values than a post can have is refused before it is parsed", async () => {
    const bomb = new TextEncoder().encode(`[${"[],".repeat(200_000)}1]`);
    const answer = await newLoad().carry(save, person("a"), "10.0.0.1", bomb, () => expect.unreachable());
    expect(answer.status).toBe(413);
  });
});

describe("a result of the database", () => {
  test("is read no further than its limit, each request anew", () => {
    const { types, reset } = limitedResults(100);
    const row = JSON.stringify("x".repeat(58));
    expect(types.jsonb.parse(row)).toBe("x".repeat(58));
    expect(() => types.json.parse(row)).toThrow("too long");
    reset();
    expect(types.json.parse(row)).toBe("x".repeat(58));
  });
});
