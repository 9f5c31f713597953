import { expect } from "vitest";
import { type World, test } from "./support/world.ts";

const take = async ({ tx }: World, key = "203.0.113.7", bucket = "login", period = "60 seconds") =>
  (await tx`select public.take_token(${bucket}, ${key}, 3, ${period}::text::interval) as wait`)[0]!.wait as number;
const timePasses = ({ tx }: World, seconds: number) =>
  tx`update private.rate_limits set updated_at = updated_at - make_interval(secs => ${seconds})`;
/** True for the wait of an empty bucket, of which a busy machine may have slept through a part. */
const upTo20 = (wait: number) => wait > 0 && wait <= 20;

test("a bucket allows its number of calls, then returns the seconds to wait", async ({ world }) => {
  expect([await take(world), await take(world), await take(world), upTo20(await take(world))]).toEqual([0, 0, 0, true]);
});

test("a bucket refills evenly up to its size", async ({ world }) => {
  for (let call = 0; call < 3; call += 1) await take(world);
  await timePasses(world, 20);
  expect([await take(world), upTo20(await take(world))]).toEqual([0, true]);
  await timePasses(world, 3_600);
  expect([await take(world), await take(world), await take(world), upTo20(await take(world))]).toEqual([0, 0, 0, true]);
});

test("a bucket isn't blocked for longer by refused calls", async ({ world }) => {
  const takeOfHours = () => take(world, undefined, undefined, "3 hours");
  for (let call = 0; call < 50; call += 1) await takeOfHours();
  for (let minute = 0; minute < 50; minute += 5) {
    await timePasses(world, 5 * 60);
    expect(await takeOfHours()).toBeGreaterThan(0);
  }
  await timePasses(world, 10 * 60);
  expect(await takeOfHours()).toBe(0);
});

test("a token that is given back can be used again, up to the bucket's size", async ({ world }) => {
  const giveBack = (key = "203.0.113.7") => world.tx`select public.give_back_token('login', ${key}, 3)`;
  for (let call = 0; call < 3; call += 1) await take(world);
  await giveBack();
  expect([await take(world), (await take(world)) > 0]).toEqual([0, true]);
  for (let call = 0; call < 9; call += 1) await giveBack();
  expect([await take(world), await take(world), await take(world), (await take(world)) > 0]).toEqual([0, 0, 0, true]);
  await giveBack("203.0.113.8");
  expect(await take(world, "203.0.113.8")).toBe(0);
});

test("buckets and keys are independent", async ({ world }) => {
  for (let call = 0; call < 3; call += 1) await take(world);
  expect([await take(world, "203.0.113.8"), await take(world, "203.0.113.7", "signup")]).toEqual([0, 0]);
});

test("no address is stored in plain text", async ({ world }) => {
  await take(world);
  const [row] = await world.tx`select to_jsonb(r)::text as row from private.rate_limits r`;
  expect(row!.row).not.toContain("203.0.113");
});

test("housekeeping deletes full buckets", async ({ world }) => {
  await take(world);
  await world.tx`update private.rate_limits set full_at = now() - interval '1 second'`;
  await world.tx`insert into private.released_subdomains (label, released_at) values ('long-gone', now() - interval '31 days'), ('just-gone', now())`;
  await world.tx`select private.tidy_up()`;
  expect(await world.tx`select from private.rate_limits where full_at < now()`).toHaveLength(0);
  expect((await world.tx`select label from private.released_subdomains where label like '%-gone'`).map((row) => row.label)).toEqual([
    "just-gone",
  ]);
});
