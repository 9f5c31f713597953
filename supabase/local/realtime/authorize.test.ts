import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { createAuthorizer } from "./authorize.ts";

test("who shows no token takes turns as one network, however many addresses of IPv6 it has", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const transaction = async (_: TemplateStringsArray, ...values: unknown[]) => void values;
  const sql = {
    begin: async (work: (tx: typeof transaction) => Promise<void>) => {
      await new Promise<void>((resolve) => void ends.push(resolve));
      await work(transaction);
    },
  } as unknown as Sql;
  const ask = async (address: string, topic: string) => {
    await createAuthorizer(sql, "secret", address).mayWrite(topic, {}, "broadcast");
    begun.push(topic);
  };
  const all = [
    ask("192.0.2.9", "busy"),
    ask("192.0.2.9", "busy"),
    ask("2001:db8::1", "network"),
    ask("2001:db8::2", "network"),
    ask("192.0.2.1", "other"),
  ];
  for (let turn = 0; turn < all.length; turn++) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()!();
    await all[turn === 3 ? 4 : turn === 4 ? 3 : turn];
  }
  expect(begun).toEqual(["busy", "busy", "network", "other", "network"]);
});
