import { beforeAll, describe, expect, inject, test } from "vitest";
import { errorCatalogue } from "#contract/errors.ts";
import { inviteEndpoints } from "#contract/invites.ts";
import { as, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newInvite, newPerson, newTeam, type Person, signedInBrowser, sql, type Team } from "./support/people.ts";
import { expectAlikeInTime } from "./support/timing.ts";

const { url, publicUrl } = inject("stack");
const anybody = new Client(url);
let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const invites = () => `/api/team/${team.workspaceId}/invites`;
const mailedLinks = async (email: string) => (await caughtMails(email)).map(({ links }) => new URL(links[0]!));
const tokenIn = (link: URL | undefined) => link!.searchParams.get("token")!;
const accept = (person: Person, token: string) => person.api.post<{ workspace_id: string }>(`/api/team/invites/${token}/accept`);
const roleOf = async (person: Person) => (await person.api.get(`/api/team/role/${team.workspaceId}`)).body.role;

describe("making an invitation", () => {
  test("returns a link into the workspace, once", async () => {
    const { invite, mailed } = as(inviteEndpoints.create, await team.owner.api.post(invites(), { role: "editor" }));
    expect(invite).toMatchObject({ role: "editor", email: null, url: `${publicUrl}/join?token=${invite.token}` });
    expect(mailed).toBe(false);
    expect(Buffer.from(invite.token, "base64url").length).toBe(32);
    const info = as(inviteEndpoints.read, await anybody.get(`/api/team/invites/${invite.token}`));
    expect(info).toEqual({ workspace_id: team.workspaceId, workspace_name: "Acme", invited_role: "editor", invited_by: "Olive Owner" });
    const [guest, late] = [await newPerson("Gus Guest"), await newPerson("Lea Late")];
    expect(as(inviteEndpoints.accept, await accept(guest, invite.token))).toEqual({ success: true, workspace_id: team.workspaceId });
    expect(await roleOf(guest)).toBe("editor");
    expect(await accept(late, invite.token)).toMatchObject({ status: 404, body: { code: "invalid_invitation" } });
  });
});

describe("an emailed invitation", () => {
  test("arrives with a link that works for that address only", async () => {
    const guest = await newPerson("Gus Guest");
    const { body } = await team.owner.api.post<{ invite: { url: string; token: string } }>(invites(), {
      role: "editor",
      email: guest.email.toUpperCase(),
    });
    expect(body).toMatchObject({ mailed: true, invite: { email: guest.email } });
    const [mail] = await caughtMails(guest.email);
    expect(mail!.subject).toBe("Olive Owner invited you to Acme");
    const [link] = await mailedLinks(guest.email);
    expect([link!.origin, link!.pathname, link!.hash]).toEqual([publicUrl, "/join", `#for=${encodeURIComponent(guest.email)}`]);
    expect(mail!.headers).toMatchObject({ "Auto-Submitted": "auto-generated" });
    expect(mail!.text).toContain("as an editor");
    for (const token of [body.invite.token, tokenIn(link)])
      expect(await accept(await newPerson(), token)).toMatchObject({ status: 403, body: { code: "wrong_invitation_account" } });
    expect((await accept(guest, tokenIn(link))).status).toBe(200);
  });

  test("goes to several addresses at once: members are skipped, open invitations renewed, wrong addresses named", async () => {
    const [ina, ole] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`];
    const send = (emails: string[], key = "first") =>
      team.owner.api.post(`${invites()}/batch`, { role: "editor", emails }, { headers: { "idempotency-key": key } });
    const fields = { emails: "ina@ and ole aren't valid email addresses" };
    expect(await send([ina, "ina@", "ole"])).toMatchObject({ status: 422, body: { fields } });
    expect(await caughtMails(ina)).toEqual([]);
    for (const _ of ["first", "repeated"]) {
      const { invites: made, members } = as(inviteEndpoints.createMany, await send([ina.toUpperCase(), ina, team.viewer.email]));
      expect([made.map(({ invite, mailed, renewed }) => [invite.email, mailed, renewed]), members]).toEqual([
        [[ina, true, false]],
        [team.viewer.email],
      ]);
    }
    const { invites: made } = as(inviteEndpoints.createMany, await send([ole, ina], "second"));
    expect(Object.fromEntries(made.map(({ invite, renewed }) => [invite.email, renewed]))).toEqual({ [ina]: true, [ole]: false });
    expect([(await caughtMails(ina)).length, (await caughtMails(ole)).length]).toEqual([2, 1]);
  });

  test("can't be sent by another user through the development mailbox", async () => {
    const post = (authorization?: string) =>
      anybody.post("/dev/mail", { to: "a@example.com", subject: "Hi" }, { headers: { authorization: authorization ?? null } });
    expect((await post()).status).toBe(401);
    expect((await post(`Bearer ${inject("stack").publishableKey}`)).status).toBe(401);
  });
});

describe("signing up with an emailed invitation", () => {
  const newAddress = () => `${crypto.randomUUID()}@example.com`;
  async function invite(email = newAddress()) {
    const answer = await team.owner.api.post<{ invite: { id: string; token: string } }>(invites(), { role: "editor", email });
    return { email, id: answer.body.invite.id, copied: answer.body.invite.token, mailed: tokenIn((await mailedLinks(email))[0]) };
  }
  const signUp = async (token: string, email: string, browser = new Client(url)) => {
    const { status, body } = await browser.post("/api/auth/signup", { email, password: "a long secret", fullName: "Ina Invited", token });
    return { status, body, browser, isSignedIn: (await browser.get("/api/profiles/me")).status === 200 };
  };
  const confirmations = async (email: string) =>
    (await caughtMails(email)).filter(({ links }) => links.some((link) => link.includes("token_hash=")));

  test("confirms the address: no other email is sent, and the person is a member", async () => {
    const { email, mailed } = await invite();
    const { status, body, browser, isSignedIn } = await signUp(mailed, email.toUpperCase());
    expect([status, body, isSignedIn]).toEqual([201, { success: true, confirmed: true }, true]);
    expect(await confirmations(email)).toEqual([]);
    expect((await browser.post("/api/team/join/session", { token: mailed })).body).toEqual({
      success: true,
      workspaceId: team.workspaceId,
    });
    const signedIn = await new Client(url).post("/api/auth/login", { email, password: "a long secret" });
    expect(signedIn).toMatchObject({ status: 200, body: { workspaceId: team.workspaceId, user: { full_name: "Ina Invited" } } });
  });

  test.each<[string, () => Promise<[string, string]>]>([
    ["the link that the inviter can copy", async () => invite().then(({ copied, email }) => [copied, email])],
    ["another address", async () => [(await invite()).mailed, newAddress()]],
    ["a link without an address", async () => [(await newInvite(team.owner, team.workspaceId)).token, newAddress()]],
    ["a made-up token", async () => ["x".repeat(43), (await invite()).email]],
    [
      "a used invitation",
      async () => {
        const { email, id, mailed } = await invite();
        await sql`update public.invites set accepted_at = now(), accepted_by = ${team.viewer.id} where id = ${id}`;
        return [mailed, email];
      },
    ],
    [
      "a revoked invitation",
      async () => {
        const { email, id, mailed } = await invite();
        await team.owner.api.delete(`${invites()}/${id}`);
        return [mailed, email];
      },
    ],
    [
      "an expired invitation",
      async () => {
        const { email, id, mailed } = await invite();
        await sql`update public.invites set expires_at = now() - interval '1 second' where id = ${id}`;
        return [mailed, email];
      },
    ],
    [
      "a mail of more than a week ago",
      async () => {
        const { email, id, mailed } = await invite();
        await sql`update private.more_invite_tokens set created_at = now() - interval '8 days' where invite_id = ${id}`;
        return [mailed, email];
      },
    ],
  ])("by %s still requires confirmation", async (_, prepare) => {
    const [token, email] = await prepare();
    const { status, body, isSignedIn } = await signUp(token, email);
    expect([status, body, isSignedIn]).toEqual([201, { success: true }, false]);
    expect(await confirmations(email)).toHaveLength(1);
  });

  test("doesn't change an existing account, confirmed or not", async () => {
    const stranger = await invite();
    await signUp(stranger.copied, stranger.email); // an attacker who signed up first and chose the password
    expect((await signUp(stranger.mailed, stranger.email)).isSignedIn).toBe(false);
    const member = await newPerson();
    const { mailed } = await invite(member.email);
    expect((await signUp(mailed, member.email)).body).toEqual({ success: true });
    expect((await new Client(url).post("/api/auth/login", { email: member.email, password: "a long secret" })).status).toBe(401);
  });
});

describe("the role of an open invitation", () => {
  const change = (person: Person, id: string, body: object) => person.api.patch(`${invites()}/${id}/role`, body);

  test("can be raised by the owner to admin, and its link grants that", async () => {
    const { id, token } = await newInvite(team.admin, team.workspaceId);
    const { invite } = as(inviteEndpoints.setRole, await change(team.owner, id, { role: "admin" }));
    expect(invite).toEqual({ id, role: "admin" });
    expect(await change(team.admin, id, { role: "viewer" })).toMatchObject({ status: 403, body: { code: "forbidden" } });
    const guest = await newPerson();
    expect((await accept(guest, token)).status).toBe(200);
    expect(await roleOf(guest)).toBe("admin");
    expect(await change(team.owner, id, { role: "viewer" })).toMatchObject({ status: 404, body: { code: "invalid_invitation" } });
  });
});

describe("a wrong, used, revoked or expired invitation", () => {
  let tokens: Record<string, string>;
  beforeAll(async () => {
    const [used, revoked, expired] = [
      await newInvite(team.owner, team.workspaceId),
      await newInvite(team.owner, team.workspaceId),
      await newInvite(team.owner, team.workspaceId),
    ];
    await accept(await newPerson(), used.token);
    await team.owner.api.delete(`${invites()}/${revoked.id}`);
    await sql`update public.invites set created_at = now() - interval '9 days', expires_at = now() - interval '1 day' where id = ${expired.id}`;
    const wrong = Buffer.alloc(32, 7).toString("base64url");
    tokens = {
      wrong,
      used: used.token,
      revoked: revoked.token,
      expired: expired.token,
      "%00": "%00",
      long: "x".repeat(900),
      "not one": "a b'--",
    };
  });

  test("gets the same answer everywhere", async () => {
    const guest = await newPerson();
    const expected = { error: errorCatalogue.invalid_invitation.sentence, code: "invalid_invitation" };
    for (const token of Object.values(tokens).map(encodeURIComponent)) {
      for (const path of [`/api/team/invites/${token}`, `/api/team/invite/validate/${token}`])
        expect(await anybody.get(path)).toMatchObject({ status: 404, body: expected });
      expect(await accept(guest, token)).toMatchObject({ status: 404, body: expected });
    }
    for (const token of Object.values(tokens))
      for (const path of ["/api/team/join", "/api/team/join/session"])
        expect(await guest.api.post(path, { token })).toMatchObject({ status: 404, body: expected });
  });

  test("takes the same time", async () => {
    const asked = (token: string) => async () => {
      const began = performance.now();
      await anybody.get(`/api/team/invites/${token}`);
      return performance.now() - began;
    };
    const { wrong, used, revoked, expired } = tokens as Record<"wrong" | "used" | "revoked" | "expired", string>;
    await expectAlikeInTime(asked(wrong), asked(used), asked(revoked), asked(expired));
  });
});

describe("joining a workspace", () => {
  test("by token returns success and the workspace, also when repeated", async () => {
    const guest = await newPerson();
    const { token } = await newInvite(team.owner, team.workspaceId);
    for (let time = 0; time < 2; time++) {
      const answer = as(inviteEndpoints.join, await guest.api.post("/api/team/join", { token }));
      expect(answer).toEqual({ success: true, workspaceId: team.workspaceId });
    }
  });

  test("by session uses the sign-up's invitation", async () => {
    const { id } = await newInvite(team.owner, team.workspaceId);
    const guest = await newPerson();
    await sql`insert into private.remembered_invites (user_id, invite_id) values (${guest.id}, ${id})`;
    const browser = await signedInBrowser(guest);
    const answer = as(inviteEndpoints.joinSession, await browser.post("/api/team/join/session"));
    expect(answer).toEqual({ success: true, workspaceId: team.workspaceId });
  });

  test("by session without a token is an invalid invitation", async () => {
    const browser = await signedInBrowser(await newPerson());
    expect(await browser.post("/api/team/join/session", {})).toMatchObject({ status: 404, body: { code: "invalid_invitation" } });
  });
});

describe("the list of invitations", () => {
  test("has the state of each, newest first, and never a token", async () => {
    const other = await newTeam();
    const path = `/api/team/${other.workspaceId}/invites`;
    const [first, second] = [await newInvite(other.owner, other.workspaceId), await newInvite(other.admin, other.workspaceId)];
    await other.admin.api.delete(`${path}/${first.id}`);
    const answer = await other.admin.api.get(path);
    const { invites: list } = as(inviteEndpoints.list, answer);
    expect(list.map(({ id, revoked_at, created_by_name }) => [id, revoked_at !== null, created_by_name])).toEqual([
      [second.id, false, "Adam Admin"],
      [first.id, true, "Olive Owner"],
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/token|hash/);
    expect((await team.owner.api.delete(`/api/team/${team.workspaceId}/invites/${second.id}`)).status).toBe(404);
  });
});
