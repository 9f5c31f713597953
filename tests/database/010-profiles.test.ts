import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { test, testEach } from "./support/world.ts";

describe("a new account gets a profile", () => {
  testEach([
    [{ full_name: "  Ann   Lee " }, "ann@example.com", "Ann Lee"],
    [{ name: "From Google" }, "x@example.com", "From Google"],
    [{}, "bob.smith@example.com", "bob.smith"],
    [{ full_name: "   " }, "carol@example.com", "carol"],
    [{ full_name: "y".repeat(500) }, "long@example.com", "y".repeat(120)],
    [{}, null, "Someone"],
  ])("names %j with the address %s %s", async ({ tx }, meta, email, name) => {
    const id = randomUUID();
    await tx`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${email && `${id}.${email}`}, ${meta as never})`;
    const [profile] = await tx`select full_name from public.profiles where user_id = ${id}`;
    expect(profile!.full_name.replace(`${id}.`, "")).toBe(name);
  });

  test("keeps the company name, and an avatar only from an https URL", async ({ world: { tx } }) => {
    const [good, bad] = [randomUUID(), randomUUID()];
    const meta = { company_name: " Acme  Inc ", avatar_url: "https://example.com/a.png" };
    await tx`insert into auth.users (id, raw_user_meta_data) values (${good}, ${meta as never}), (${bad}, ${{ avatar_url: "javascript:alert(1)" } as never})`;
    const rows = await tx`select company_name, avatar_url from public.profiles where user_id in (${good}, ${bad}) order by company_name`;
    expect([...rows]).toEqual([
      { company_name: "Acme Inc", avatar_url: "https://example.com/a.png" },
      { company_name: null, avatar_url: null },
    ]);
  });

  test("deletes the profile with the account", async ({ world: { tx, people } }) => {
    await tx`delete from auth.users where id = ${people.stranger}`;
    expect(await tx`select from public.profiles where user_id = ${people.stranger}`).toHaveLength(0);
  });
});

describe("changing a profile", () => {
  test("users change their own, and values are trimmed", async ({ world: { as, people } }) => {
    const [mine] = await as(
      "viewer",
      (me) => me`
      update public.profiles set full_name = '  Vi   Ewer ', job_title = ' ', company_name = ' Acme ' where user_id = ${people.viewer} returning *`,
    );
    expect(mine).toMatchObject({ full_name: "Vi Ewer", job_title: null, company_name: "Acme" });
  });

  test("an empty name falls back to the email address", async ({ world: { as, people } }) => {
    const [mine] = await as(
      "viewer",
      (me) => me`update public.profiles set full_name = '' where user_id = ${people.viewer} returning full_name`,
    );
    expect(mine!.full_name).toMatch(/^viewer-/);
  });

  test("a script URL is rejected as an avatar", async ({ world: { as, people } }) => {
    const change = as("owner", (me) => me`update public.profiles set avatar_url = 'javascript:alert(1)' where user_id = ${people.owner}`);
    expect(await outcome(change)).toBe("23514");
  });

  testEach(["full_name", "job_title", "company_name"])("limits %s to 120 characters", async ({ as, people }, column) => {
    const change = as("owner", (me) => me`update public.profiles set ${me({ [column]: "x".repeat(121) })} where user_id = ${people.owner}`);
    expect(await refused(change)).toMatchObject({ code: "validation_failed", detail: { [column]: "Please use at most 120 characters" } });
  });
});
