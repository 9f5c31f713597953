import { describe, expect } from "vitest";
import { emailsToSend } from "./support/emails.ts";
import { outcome } from "./support/refusal.ts";
import { type Person, type World, test } from "./support/world.ts";

const tell = (
  { tx, acme, people }: World,
  person: Person,
  { kind = "mentioned", ...data }: { kind?: string; subject?: string; by?: string } = {},
) => tx`select private.enqueue_member_email(${acme}, ${kind}, ${people[person]}, ${tx.json({ subject: "a thread", by: "Ada", ...data })})`;
const claim = ({ tx, acme }: World) => emailsToSend(tx, [acme]);
const waiting = async ({ tx, acme }: World): Promise<number> =>
  (await tx`select from private.deliveries where workspace_id = ${acme} and state = 'waiting'`).length;

describe("a member's email", () => {
  test("is sent to the account's address with its text", async ({ world }) => {
    await tell(world, "viewer");
    const [mail, ...more] = await claim(world);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      kind: "mentioned",
      told: { subject: "a thread", by: "Ada" },
      workspace_name: "Acme",
      posts: [],
      token: "",
    });
    expect(mail!.email).toBe(`viewer-${world.people.viewer}@example.com`);
  });

  test("is sent also when emails to readers are held or over the first week's limit", async ({ world }) => {
    await world.tx`update public.mail_settings set held_at = now(), held_reason = 'bounces' where workspace_id = ${world.acme}`;
    await tell(world, "editor");
    expect(await claim(world)).toHaveLength(1);
    await world.tx`update public.mail_settings set held_at = null, held_reason = null where workspace_id = ${world.acme}`;
    await world.tx`update private.mail_days set mails = 500 where owner_id = ${world.people.owner}`;
    await tell(world, "admin");
    expect(await claim(world)).toHaveLength(2);
  });

  test("is sent once per subject while it is pending, and again after sending has begun", async ({ world }) => {
    await tell(world, "editor");
    await tell(world, "editor");
    expect(await waiting(world)).toBe(1);
    await tell(world, "editor", { subject: "another" });
    await tell(world, "admin");
    await tell(world, "editor", { kind: "review_asked" });
    expect(await waiting(world)).toBe(4);
    await claim(world);
    await tell(world, "editor");
    expect(await waiting(world)).toBe(5);
  });

  test("is limited to fifty a day in one workspace", async ({ world }) => {
    for (let n = 0; n < 60; n += 1) await tell(world, "editor", { subject: `${n}` });
    expect(await waiting(world)).toBe(50);
    await world.tx`update private.deliveries set created_at = now() - interval '25 hours' where workspace_id = ${world.acme}`;
    await tell(world, "editor", { subject: "tomorrow" });
    expect(await waiting(world)).toBe(51);
  });

  test("is sent only to current members", async ({ world }) => {
    await tell(world, "rival");
    await tell(world, "stranger");
    expect(await waiting(world)).toBe(0);
    await tell(world, "editor");
    await world.tx`delete from public.members where workspace_id = ${world.acme} and user_id = ${world.people.editor}`;
    expect(await claim(world)).toEqual([]);
    const [gone] = await world.tx`select state from private.deliveries where workspace_id = ${world.acme}`;
    expect(gone!.state).toBe("dropped");
  });

  test("isn't sent if they turned its kind off", async ({ world }) => {
    await tell(world, "editor");
    await tell(world, "editor", { kind: "review_asked" });
    await world.as("editor", (me) => me`select public.set_muted_emails('{mentioned}')`);
    expect(await world.as("editor", (me) => me`select public.my_muted_emails() as muted`)).toEqual([{ muted: ["mentioned"] }]);
    expect((await claim(world)).map(({ kind }) => kind)).toEqual(["review_asked"]);
    expect(await outcome(world.as("editor", (me) => me`select public.set_muted_emails('{suspension}')`))).toBe("23514");
  });

  test("of an unknown kind, or without a subject, is rejected", async ({ world }) => {
    for (const wrong of [{ kind: "held" }, { subject: "" }])
      await expect(world.tx.savepoint((tx) => tell({ ...world, tx }, "editor", wrong))).rejects.toThrow(/members are not told/);
  });
});
