import { expect, test } from "vitest";
import { ConcurrencyLimit, QueueFull } from "./concurrency-limit.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve));

function taken() {
  const limit = new ConcurrencyLimit({ underWay: 1, waiting: 3 });
  const held = Promise.withResolvers<void>();
  const holder = limit.run("a", () => held.promise);
  const begun: string[] = [];
  const wait = (name: string, signal?: AbortSignal) => limit.run("a", async () => void begun.push(name), signal);
  const end = async () => {
    held.resolve();
    await holder;
    await soon();
  };
  return { limit, begun, wait, end };
}

test("tasks beyond the limit wait in order", async () => {
  const { limit, begun, wait, end } = taken();
  for (const name of ["first", "second", "third"]) void wait(name);
  await limit.run("b", async () => void begun.push("another's"));
  await soon();
  expect(begun).toEqual(["another's"]);
  await end();
  expect(begun).toEqual(["another's", "first", "second", "third"]);
});

test("an aborted waiting task rejects with the reason, and later ones move up", async () => {
  const { begun, wait, end } = taken();
  const client = new AbortController();
  const gone = [wait("gone", client.signal), wait("gone as well", client.signal)];
  const next = wait("next", new AbortController().signal);
  const why = new Error("closed");
  client.abort(why);
  expect(await Promise.allSettled(gone)).toEqual(gone.map(() => ({ status: "rejected", reason: why })));
  await expect(wait("too late", client.signal)).rejects.toBe(why);
  await end();
  await next;
  expect(begun).toEqual(["next"]);
});

test("the slot is free again when all waiting tasks are aborted", async () => {
  const { begun, wait, end } = taken();
  const client = new AbortController();
  const gone = Array.from({ length: 3 }, () => wait("gone", client.signal));
  client.abort();
  await Promise.allSettled(gone);
  await end();
  await wait("new");
  expect(begun).toEqual(["new"]);
});

test("a task aborted after its start finishes, and then frees its slot", async () => {
  const limit = new ConcurrencyLimit({ underWay: 1, waiting: 3 });
  const client = new AbortController();
  const held = Promise.withResolvers<string>();
  const work = limit.run("a", () => held.promise, client.signal);
  const later = limit.run("a", async () => "later", client.signal).catch(() => "gone");
  const next = limit.run("a", async () => "next");
  client.abort();
  held.resolve("done");
  expect(await Promise.all([work, later, next])).toEqual(["done", "gone", "next"]);
});

test("a full queue rejects further tasks without affecting other keys", async () => {
  const { limit, begun, wait, end } = taken();
  const waiting = ["first", "second", "third"].map((name) => wait(name));
  await expect(wait("one too many")).rejects.toBeInstanceOf(QueueFull);
  await limit.run("b", async () => void begun.push("another's"));
  await end();
  await Promise.all(waiting);
  await wait("later");
  expect(begun).toEqual(["another's", "first", "second", "third", "later"]);
});
