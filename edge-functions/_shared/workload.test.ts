import { describe, expect, test } from "vitest";
import { ByteBudget } from "#contract/rules/byte-budget.ts";
import { FairQueue, QueueFull } from "#contract/rules/fair-queue.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { mcpEndpoints } from "#contract/mcp/endpoint.ts";
import { postEndpoints } from "#contract/posts.ts";
import { importBatch, subscriberEndpoints } from "#contract/subscribers.ts";
import { v1PostEndpoints } from "#contract/v1/posts.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { byteBudget, largeBytes } from "#contract/body-limits.ts";
import { workOf, Workload } from "./workload.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe("long works", () => {
  test("are done one at a time", async () => {
    const queue = new FairQueue();
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await wait(2);
      running--;
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => queue.run(`person ${n % 3}`, work)));
    expect([most, running]).toEqual([1, 0]);
  });

  test("of different people take turns, however many one of them has", async () => {
    const queue = new FairQueue();
    const done: string[] = [];
    const works = ["a", "a", "a", "a", "b", "c", "b"].map((who) => queue.run(who, async () => void done.push(who)));
    await Promise.all(works);
    expect(done).toEqual(["a", "a", "b", "c", "a", "b", "a"]);
  });

  test("leave others as much time as they took", async () => {
    const queue = new FairQueue();
    const times: number[] = [];
    const work = async () => {
      times.push(performance.now());
      await wait(30);
      times.push(performance.now());
    };
    await Promise.all([queue.run("a", work), queue.run("b", work)]);
    const [, ended = 0, begun = 0] = times;
    expect(begun - ended).toBeGreaterThanOrEqual(25);
  });

  test("of one person beyond the eight that may wait are refused, those of others are not", async () => {
    const queue = new FairQueue();
    const first = Array.from({ length: 9 }, () => queue.run("a", () => wait(1)));
    await expect(queue.run("a", () => wait(1))).rejects.toBeInstanceOf(QueueFull);
    await queue.run("b", () => wait(1));
    await Promise.all(first);
  });

  test("that fail make room like those that succeed", async () => {
    const queue = new FairQueue();
    await expect(queue.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await queue.run("a", () => Promise.resolve(7))).toBe(7);
  });
});

describe("a budget of bytes", () => {
  const budget = (clock: { now: number }) => new ByteBudget({ size: 1_000, perSecond: 100 }, () => clock.now);

  test("lets a burst through, then as much as comes back", () => {
    const clock = { now: 0 };
    const bytes = budget(clock);
    bytes.charge("a", 600);
    expect(bytes.wait("a")).toBe(0);
    bytes.charge("a", 600);
    expect(bytes.wait("a")).toBeCloseTo(2.01);
    clock.now = 2_100;
    expect(bytes.wait("a")).toBe(0);
  });
  test("is each person's own", () => {
    const bytes = budget({ now: 0 });
    bytes.charge("a", 5_000);
    expect([bytes.wait("a") > 0, bytes.wait("b")]).toEqual([true, 0]);
  });
  test("never grows beyond its size", () => {
    const clock = { now: 0 };
    const bytes = budget(clock);
    bytes.charge("a", 1);
    clock.now = 1e9;
    bytes.charge("a", 1_001);
    expect(bytes.wait("a")).toBeGreaterThan(0);
  });
});

describe("values in JSON are counted before it is parsed", () => {
  const areMany = (json: string) => [hasTooManyValues(json, 1_000), hasTooManyValues(new TextEncoder().encode(json), 1_000)];
  test.each([
    ["a long string full of commas and brackets", JSON.stringify({ text: '[{,\\",'.repeat(5_000) })],
    ["a thousand numbers", JSON.stringify(Array.from({ length: 1_000 }, () => 1_000_000))],
  ])("%s is few", (_, json) => expect(areMany(json)).toEqual([false, false]));
  test.each([
    ["lists", "[".repeat(5_000)],
    ["empty objects", `[${"{},".repeat(5_000)}1]`],
    ["numbers behind a string that ends in a backslash", JSON.stringify(["\\", ...Array<number>(5_000).fill(1)])],
  ])("five thousand %s are many", (_, json) => expect(areMany(json)).toEqual([true, true]));
});

describe("a body that does not say how long it is", () => {
  const endpoint = subscriberEndpoints.import as unknown as Endpoint;
  const send = () => {
    const body = new ReadableStream({ pull: (controller) => controller.close() });
    return new Request("http://localhost/api", { method: "POST", body, duplex: "half" } as RequestInit);
  };

  test("is counted as it was once it is here: many lists come in one after the other", () => {
    const workload = new Workload(1);
    const bytes = importBatch * 60;
    for (let sent = 0; sent + bytes < byteBudget.size; sent += bytes) workload.received("a", workload.admit("a", send(), endpoint), bytes);
    expect(() => workload.admit("b", send(), endpoint)).not.toThrow();
  });

  test("is counted as the longest until then", () => {
    const workload = new Workload(1);
    expect(() => {
      for (let call = 0; call < 10; call += 1) workload.admit("a", send(), endpoint);
    }).toThrow();
  });
});

describe("what may be Markdown waits for its turn from eight kilobytes on", () => {
  const text = 9_000;
  test.each([
    ["an assistant's call", mcpEndpoints.call, true],
    ["a program's new post", v1PostEndpoints.create, true],
    ["a program's post by its own name", v1PostEndpoints.put, true],
    ["a program's change of a post", v1PostEndpoints.change, true],
    ["the publishing of a post, which carries none", v1PostEndpoints.publish, false],
    ["a save in the editor, which is blocks", postEndpoints.update, false],
  ])("%s", (_, endpoint, waits) => expect(workOf(endpoint as unknown as Endpoint, text) > largeBytes).toBe(waits));

  test("sixty long ones of a key are under way one at a time, and those beyond the eight that wait come again", async () => {
    const workload = new Workload(1);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await wait(1);
      running--;
    };
    const bytes = workOf(v1PostEndpoints.put as unknown as Endpoint, text);
    const calls = Array.from({ length: 60 }, () => workload.carry("keys of a", bytes, work));
    const outcomes = await Promise.allSettled([...calls, workload.carry("somebody else", bytes, work)]);
    expect(most).toBe(1);
    expect(outcomes.slice(0, 60).filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "rate_limited" } });
    expect(outcomes.at(-1)!.status).toBe("fulfilled");
  });
});
