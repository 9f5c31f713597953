import { expect, test } from "vitest";
import type { Env } from "./env.ts";
import { type AdmittedKey, type Connect, createKeyCalls } from "./key-calls.ts";

function slowDatabase() {
  const open: (() => void)[] = [];
  const signature = { names: null, types: [], defaults: 0, shape: "value" };
  const begin = () => new Promise((resolve) => open.push(() => resolve([[], [{ answer: "1" }]])));
  const client = Object.assign(() => Promise.resolve([signature]), { begin });
  return { open, connect: (() => Promise.resolve(client)) as unknown as Connect };
}
const keyOf = (workspaceId: string): AdmittedKey => ({
  id: "k",
  workspaceId,
  scopes: [],
  createdBy: "p",
  wait: 0,
  remaining: 1,
  assistant: false,
});
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

test("keys of one workspace share two connections, however slow; others aren't blocked", async () => {
  const { open, connect } = slowDatabase();
  const keys = createKeyCalls({ databaseUrl: "", rateLimitScale: 1 } as Env, connect);
  const ask = (workspaceId: string) => keys.databaseOf(keyOf(workspaceId)).rpc("my_key");
  const many = Array.from({ length: 20 }, () => ask("one"));
  await settled();
  expect(open).toHaveLength(2);
  const other = ask("other");
  await settled();
  expect(open).toHaveLength(3);
  open.pop()!();
  expect((await other).data).toBe(1);
  for (let answered = 0; answered < 20; answered++) {
    open.shift()!();
    await settled();
    expect(open.length).toBeLessThanOrEqual(2);
  }
  expect((await Promise.all(many)).map(({ data }) => data as unknown)).toEqual(Array(20).fill(1));
});
