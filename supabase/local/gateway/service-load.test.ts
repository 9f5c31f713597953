import { describe, expect, test } from "vitest";
import { ServiceLoad } from "./service-load.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const person = (name: string) => new Headers({ authorization: `Bearer ${name}.b.c`, "content-type": "application/json" });
const key = new Headers({ authorization: "Bearer sb_publishable_x", "content-type": "application/json" });
const save = "/rest/v1/rpc/save_post";
const large = new TextEncoder().encode(JSON.stringify("x".repeat(100_000)));

/** Tokens of a to d are real. */
const newLoad = (scale = 1, cores = 2) => new ServiceLoad(scale, (token) => Promise.resolve(/^[a-d]\./.test(token)), cores);

interface Given {
  path?: string;
  body?: Uint8Array | null;
  address?: string;
  isPastApi?: boolean;
}

const carry = (
  load: ServiceLoad,
  headers: Headers,
  { path = save, body = null, address = "10.0.0.1", isPastApi = false }: Given,
  work: () => Promise<Response>,
) => load.carry({ path, headers, address, isPastApi, body }, work);

/** How many of some calls were under way at once. */
async function most(load: ServiceLoad, callers: Headers[], given: Given = {}): Promise<number> {
  let open = 0;
  let highest = 0;
  const work = async () => {
    highest = Math.max(highest, ++open);
    await wait(5);
    open--;
    return new Response("ok");
  };
  await Promise.all(callers.map((headers) => carry(load, headers, given, work)));
  return highest;
}

const many = (headers: Headers, count: number) => Array.from({ length: count }, () => headers);

describe("what one person's calls of the services take", () => {
  test("large ones go one at a time, whoever makes them", async () => {
    expect(await most(newLoad(), ["a", "b", "c", "a"].map(person), { body: large })).toBe(1);
  });
  test("who makes tokens up has one turn for all of them together", async () => {
    const load = newLoad();
    const order: string[] = [];
    const call = (name: string) =>
      carry(load, person(name), { body: large, address: name === "b" ? "10.0.0.2" : "10.0.0.1" }, async () => {
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
    expect(await most(newLoad(), many(person("a"), 20))).toBe(6);
    expect(await most(newLoad(), many(key, 20))).toBe(20);
  });
  test("whoever had a large answer waits for a turn with the next", async () => {
    const load = newLoad();
    load.answered(person("a"), "10.0.0.1", 100_000);
    expect(await most(load, many(person("a"), 4))).toBe(1);
    expect(await most(load, many(person("b"), 4))).toBe(4);
  });
  test("of exports, which are as long as there are posts, one is made at once; saves go on", async () => {
    const load = newLoad();
    const people = ["a", "b", "c", "d", "a", "b"].map(person);
    const exporting = most(load, people, { path: "/rest/v1/rpc/export_posts" });
    expect(await Promise.all([exporting, most(load, people)])).toEqual([1, 6]);
  });
  test("beyond a budget of bytes they are refused", async () => {
    const load = newLoad();
    load.answered(person("a"), "10.0.0.1", 10_000_000);
    const answer = await carry(load, person("a"), {}, () => Promise.resolve(new Response("ok")));
    expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([429, true]);
  });
  test("and refused before their next body is read, which nobody else is", () => {
    const load = newLoad();
    expect(load.refusal(person("a"))).toBeNull();
    load.answered(person("a"), "10.0.0.1", 10_000_000);
    expect(load.refusal(person("a"))?.status).toBe(429);
    expect([load.refusal(person("b")), load.refusal(key), load.refusal(new Headers())]).toEqual([null, null, null]);
  });
  test("JSON of more values than a post can have is refused before it is parsed", async () => {
    const bomb = new TextEncoder().encode(`[${"[],".repeat(200_000)}1]`);
    const answer = await carry(newLoad(), person("a"), { body: bomb }, () => expect.unreachable());
    expect(answer.status).toBe(413);
  });
});

describe("what is asked of REST past the API", () => {
  const pastApi: Given = { path: "/rest/v1/posts", isPastApi: true };
  const people = ["a", "b", "c", "d", "a"].map(person);

  test.each([
    { cores: 1, expected: 1 },
    { cores: 2, expected: 1 },
    { cores: 4, expected: 3 },
    { cores: 64, expected: 4 },
  ])("leaves a processor and most of the connections to others: of $cores it has $expected", async ({ cores, expected }) => {
    expect(await most(newLoad(1, cores), people, pastApi)).toBe(expected);
  });
  test("is not held back where the limits are a load run's", async () => {
    expect(await most(newLoad(1_000), people, pastApi)).toBe(5);
  });
  test("keeps no call of the functions waiting, for the same people neither", async () => {
    const load = newLoad();
    const never = () => new Promise<Response>(() => {});
    for (const headers of people) void carry(load, headers, pastApi, never);
    await wait(5);
    const saves = [...people.slice(0, 4), person("e")].flatMap((headers) =>
      [null, large].map((body) => carry(load, headers, { body }, () => Promise.resolve(new Response("saved")))),
    );
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(many(person("a"), 10).map(() => 200));
  });
  test("goes in turns by person, and made-up tokens have those of their address", async () => {
    const load = newLoad();
    const order: string[] = [];
    const call = (name: string) =>
      carry(load, person(name), pastApi, async () => {
        order.push(name);
        await wait(2);
        return new Response("ok");
      });
    await Promise.all(["made-up-1", "made-up-2", "made-up-3", "made-up-4", "a", "a", "a", "b"].map(call));
    expect(order.slice(0, 4).toSorted()).toEqual(["a", "b", "made-up-1", "made-up-2"]);
  });
  test("is refused where too much of one address waits without a person's token", async () => {
    const load = newLoad();
    const calls = Array.from({ length: 110 }, () => carry(load, key, pastApi, () => Promise.resolve(new Response("ok"))));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length]).toEqual([101, 9]);
  });
});
