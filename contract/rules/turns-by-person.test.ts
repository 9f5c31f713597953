import { expect, test } from "vitest";
import { TurnsByPerson } from "./turns-by-person.ts";

/** Who gets the only connection in which order, when all of these calls wait for it while somebody else has it; `arriving` come after so many calls. */
async function orderOf(calls: string[], arriving: Record<number, string> = {}): Promise<string[]> {
  const turns = new TurnsByPerson(["connection"], 1);
  const order: string[] = [];
  const ends: Promise<void>[] = [];
  const call = async (who: string): Promise<void> => {
    const connection = await turns.take(who);
    const next = arriving[order.push(who)];
    if (next !== undefined) ends.push(call(next));
    await Promise.resolve();
    turns.giveBack(who, connection);
  };
  const held = await turns.take("holder");
  for (const who of calls) ends.push(call(who));
  turns.giveBack("holder", held);
  for (let at = 0; at < ends.length; at++) await ends[at];
  return order;
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

/** Whose calls have a connection of five, when these come and none ends. */
async function servedOf(calls: string[], mostFurther: number): Promise<{ served: string[]; turns: TurnsByPerson<number> }> {
  const turns = new TurnsByPerson([1, 2, 3, 4, 5], mostFurther);
  const served: string[] = [];
  for (const who of calls) void turns.take(who).then(() => served.push(who));
  await soon();
  return { served, turns };
}

test("whoever has nothing else under way goes before the second call of anybody", async () => {
  expect(await orderOf(["many", "many", "many", "one", "other"])).toEqual(["many", "one", "other", "many", "many"]);
});

test("second calls take turns by person", async () => {
  expect(await orderOf(["a", "a", "a", "a", "b", "b", "b"])).toEqual(["a", "b", "a", "b", "a", "b", "a"]);
});

test("a newcomer is next, however many wait", async () => {
  const order = await orderOf(["a", "a", "a", "a", "b", "b", "b"], { 3: "new" });
  expect(order[3]).toBe("new");
});

test("newcomers after newcomers leave a turn in four to those who have more", async () => {
  expect(await orderOf(["a", "a", "n1", "n2", "n3", "n4", "n5"])).toEqual(["a", "n1", "n2", "a", "n3", "n4", "n5"]);
});

test("of those who have more under way a few have a connection at once, and the others are there for newcomers", async () => {
  const { served, turns } = await servedOf(["a", "a", "a", "a", "b", "b", "b"], 2);
  expect(served.toSorted()).toEqual(["a", "a", "a", "b"]);
  expect(await turns.take("new")).toBeTypeOf("number");
});

test("a call that holds one gets another, however many of its person have one: else they would wait for one another", async () => {
  const { served, turns } = await servedOf(["a", "a", "a", "a"], 1);
  expect(served).toHaveLength(2);
  expect(await turns.take("a", true)).toBeTypeOf("number");
});

test("when one of them ends the next begins", async () => {
  const { served, turns } = await servedOf(["a", "a", "a", "a"], 2);
  expect(served).toHaveLength(3);
  turns.giveBack("a", 2);
  await soon();
  expect(served).toHaveLength(4);
});

test("whose calls have all ended is new again, and connections are used in turns", async () => {
  const turns = new TurnsByPerson([1, 2, 3], 1);
  const used: number[] = [];
  for (let at = 0; at < 6; at++) {
    const connection = await turns.take("a");
    used.push(connection);
    turns.giveBack("a", connection);
  }
  expect(used).toEqual([1, 2, 3, 1, 2, 3]);
});

test("who is gone while he waits gets no slot, and nothing of his counts any more", async () => {
  const turns = new TurnsByPerson(["connection"], 1);
  const held = await turns.take("holder");
  const client = new AbortController();
  const why = new Error("closed");
  const gone = ["a", "a", "a", "b"].map((who) => turns.take(who, false, client.signal));
  const served: string[] = [];
  const waiting = ["b", "c", "c"].map(async (who) => {
    const slot = await turns.take(who, false, new AbortController().signal);
    served.push(who);
    turns.giveBack(who, slot);
  });
  client.abort(why);
  expect(await Promise.allSettled(gone)).toEqual(gone.map(() => ({ status: "rejected", reason: why })));
  await expect(turns.take("a", false, client.signal)).rejects.toBe(why);
  const newcomer = turns.take("a").then((slot) => {
    served.push("a, anew");
    turns.giveBack("a", slot);
  });
  turns.giveBack("holder", held);
  await Promise.all([...waiting, newcomer]);
  expect(served).toEqual(["c", "a, anew", "b", "c"]);
  expect(await turns.take("a", false, AbortSignal.abort(why)).catch((error: unknown) => error)).toBe(why);
  expect(await turns.take("d")).toBe("connection");
});

test("who is gone once he has a slot gives it back as ever", async () => {
  const turns = new TurnsByPerson(["connection"], 1);
  const client = new AbortController();
  const slot = await turns.take("a", false, client.signal);
  client.abort();
  turns.giveBack("a", slot);
  expect(await turns.take("b")).toBe("connection");
});
