import { describe, expect, test } from "vitest";
import { defaultTags, tagColours } from "#contract/tags.ts";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome, refused } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World, writers } from "./support/world.ts";

const sql = connect();
const isMember = (person: Person) => person !== "rival" && person !== "stranger";
const create = async ({ as, acme }: World, person: Person, label: string, colour: string | null = null) =>
  (await as(person, (me) => me`select * from public.create_tag(${acme}, ${label}, ${colour})`))[0];
const list = async ({ as, acme }: World) => [...(await as("viewer", (me) => me`select * from public.list_tags(${acme})`))];

test(
  "the default tags are the contract's, and every workspace has them",
  inWorld(sql, async (world) => expect(await list(world)).toEqual(defaultTags)),
);

describe("a new tag", () => {
  test(
    "has a key made of its name, and is blue unless said otherwise",
    inWorld(sql, async (world) => {
      expect(await create(world, "editor", "  Breaking   Change ")).toEqual({
        key: "breaking-change",
        label: "Breaking Change",
        colour: "blue",
      });
      expect(await create(world, "editor", "Ürün", "red")).toEqual({ key: "ürün", label: "Ürün", colour: "red" });
      expect((await list(world)).slice(4).map((tag) => tag.label)).toEqual(["Breaking Change", "Ürün"]);
    }),
  );

  test(
    "like a default one is ignored",
    inWorld(sql, async (world) => {
      expect(await create(world, "editor", "FIX", "red")).toEqual({ key: "fix", label: "Fix", colour: "orange" });
      expect(await list(world)).toHaveLength(4);
    }),
  );

  test(
    "that is there already is answered as it is",
    inWorld(sql, async (world) => {
      await create(world, "editor", "Beta", "red");
      expect(await create(world, "owner", "beta", "green")).toEqual({ key: "beta", label: "Beta", colour: "red" });
    }),
  );

  test.each(["", "  ", "\u00a0"])("needs a name: %j", (label) =>
    inWorld(sql, async (world) =>
      expect(await refused(create(world, "editor", label))).toMatchObject({
        code: "validation_failed",
        detail: { label: "A tag needs a name" },
      }),
    )(),
  );

  test(
    "takes the contract's colours and no other",
    inWorld(sql, async (world) => {
      for (const colour of tagColours) expect(await outcome(create(world, "editor", colour, colour))).toBe("allowed");
      expect(await outcome(create(world, "editor", "odd", "magenta"))).toBe("23514");
    }),
  );
});

describe("who", () => {
  test.each(everybody)("%s lists them as a member and makes them as a writer", (person) =>
    inWorld(sql, async (world) => {
      expect(await outcome(world.as(person, (me) => me`select * from public.list_tags(${world.acme})`))).toBe(
        isMember(person) ? "allowed" : "not_found",
      );
      expect(await outcome(create(world, person, "Beta"))).toBe(
        writers.includes(person) ? "allowed" : isMember(person) ? "forbidden" : "not_found",
      );
    })(),
  );

  test.each(everybody)("%s changes and deletes them in the table only as a writer", (person) =>
    inWorld(sql, async (world) => {
      await create(world, "owner", "Beta");
      const count = writers.includes(person) ? 1 : 0;
      expect(await world.as(person, (me) => me`update public.tags set colour = 'red' returning key`)).toHaveLength(count);
      expect(await world.as(person, (me) => me`delete from public.tags returning key`)).toHaveLength(count);
    })(),
  );

  test(
    "a key is not written by hand",
    inWorld(sql, async (world) => {
      expect(
        await outcome(world.as("owner", (me) => me`insert into public.tags (workspace_id, key, label) values (${world.acme}, 'x', 'x')`)),
      ).toBe(forbiddenByGrant);
      expect(await outcome(world.as("owner", (me) => me`update public.tags set key = 'y'`))).toBe(forbiddenByGrant);
      expect(await outcome(world.as("anon", (me) => me`select * from public.tags`))).toBe(forbiddenByGrant);
    }),
  );
});
