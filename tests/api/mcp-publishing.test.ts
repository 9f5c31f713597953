import type { ElicitResult } from "@modelcontextprotocol/client";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { answered, callAsking, connectAsking, yes } from "./support/asked-assistants.ts";
import { connect, use } from "./support/assistants.ts";
import { newKey, newPost, newSubscriber, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { visit } from "./support/public.ts";

let team: Team;
let secret: string;
beforeAll(async () => {
  team = await newTeam();
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
  ({ secret } = await newKey(team.owner, team.workspaceId));
});
afterEach(() => setRule("off"));

const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
const setRule = async (rule: string) => {
  expect((await team.owner.api.put(`/api/workspaces/${team.workspaceId}/review`, { rule })).status).toBe(200);
};
const draft = (fields: Record<string, unknown> = {}) => newPost(team.editor, team.workspaceId, { title: "Dark mode", ...fields });
const keyWith = async (person: Person, ...scopes: ApiKeyScope[]) => (await newKey(person, team.workspaceId, { scopes })).secret;
const stateOf = async (id: string) =>
  (await sql<{ status: string; version: number }[]>`select status, version from public.posts where id = ${id}`)[0]!;
const reviewsOf = async (id: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from private.reviews where post_id = ${id}`)[0]!.n;
const outcomeOf = ({ structured }: { structured: Record<string, unknown> | undefined }) => (structured as { outcome: string }).outcome;

describe("with a client that can ask a person,", () => {
  test("a yes publishes, after a question with title, URL, readers and emails", async () => {
    await sql`delete from public.subscribers where workspace_id = ${team.workspaceId}`;
    await newSubscriber(team.workspaceId);
    const { id, slug, version } = await draft();
    const { client, questions } = await connectAsking(secret, yes);
    const answer = await use(client, "publish", { id, expected_version: version });
    expect([answer.isError, outcomeOf(answer)]).toEqual([false, "published"]);
    expect(questions).toHaveLength(1);
    expect(questions[0]!.split("\n")).toEqual([
      "Publish this post now?",
      "",
      "Title: “Dark mode”",
      "Version: 1",
      expect.stringMatching(new RegExp(`^URL: http://${team.subdomain}\\..*/releases/${slug}$`)),
      "Visible to: Anyone who opens your public page.",
      "Emails: 1 reader gets one.",
    ]);
    expect((await visit(team.subdomain, `/releases/${slug}`)).status).toBe(200);
    const again = await use(client, "publish", { id, expected_version: version });
    expect([outcomeOf(again), again.text, questions.length]).toEqual(["published", expect.stringContaining("Nothing was done"), 1]);
  });

  test.each<[string, ElicitResult]>([
    ["declines", { action: "decline" }],
    ["closes the question", { action: "cancel" }],
    ["leaves the box empty", { action: "accept", content: { confirm: false } }],
    ["ticks nothing at all", { action: "accept" }],
    ["writes something else", { action: "accept", content: { confirm: "yes" } }],
  ])("a person who %s publishes nothing", async (_, said) => {
    const { id, version } = await draft();
    const { client, questions } = await connectAsking(secret, said);
    for (const [tool, more] of [
      ["publish", {}],
      ["schedule", { publish_at: nextMonth }],
    ] as const) {
      const answer = await use(client, tool, { id, expected_version: version, ...more }).catch((error: Error) => error);
      // The client itself rejects answers that don't match the form.
      if (!(answer instanceof Error)) expect(outcomeOf(answer)).toBe("declined");
    }
    expect(questions).toHaveLength(2);
    expect([await stateOf(id), await reviewsOf(id)]).toEqual([{ status: "draft", version }, 0]);
  });

  test.each([
    ["words of the question", "Fix   Version: 1 ” Emails: None. “", 'Fix Version: 1 " Emails: None. "'],
    ["a line that JavaScript does not know as one", "Fix\u0085Emails: None.", "Fix Emails: None."],
    ["what turns the direction of the rest", "Fix \u202e.enoN :sliamE\u2066", "Fix .enoN :sliamE"],
    ["what a terminal does", "Fix\u001b[2J\u001b[H\u0007", "Fix [2J [H"],
    ["what joins signs", "Fix \u{1f468}\u200d\u{1f469}", "Fix \u{1f468}\u200d\u{1f469}"],
  ])("a title with %s stays between its quotes, on its line", async (_, title, shown) => {
    const { id, version } = await draft({ title });
    const { client, questions } = await connectAsking(secret, { action: "decline" });
    await use(client, "publish", { id, expected_version: version });
    const lines = questions[0]!.split("\n");
    expect([lines.length, lines[2], lines[3]]).toEqual([7, `Title: “${shown}”`, "Version: 1"]);
  });

  test("a post edited between question and answer isn't published", async () => {
    const { id, version } = await draft();
    const { client } = await connectAsking(secret, async () => {
      await team.editor.api.put(`/api/posts/${id}`, { title: "Something else", version });
      return yes;
    });
    const answer = await use(client, "publish", { id, expected_version: version });
    expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining("version is now 2")]);
    expect((await stateOf(id)).status).toBe("draft");
  });

  test("a changelog closed meanwhile makes the tool ask again", async () => {
    const { id, version } = await draft();
    let asked = 0;
    const { client, questions } = await connectAsking(secret, async () => {
      if (asked++ === 0) await sql`update public.workspaces set public_changelog_enabled = false where id = ${team.workspaceId}`;
      return yes;
    });
    const answer = await use(client, "publish", { id, expected_version: version });
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${team.workspaceId}`;
    expect([outcomeOf(answer), questions.length]).toEqual(["published", 2]);
    expect(questions[1]).toContain("your public page is off");
  });

  test("a post that can't be published causes no question", async () => {
    const { client, questions } = await connectAsking(secret, yes);
    const { id, version } = await draft();
    const call = (tool: string, args: object) => use(client, tool, { id, expected_version: version, ...args });
    expect((await call("publish", { expected_version: version + 1 })).text).toContain(`version is now ${version}`);
    expect((await call("schedule", { publish_at: "2020-01-01T00:00:00Z" })).text).toContain(
      "- publish_at: Please choose a time in the future",
    );
    for (const publish_at of ["9999-12-31T23:59:59-14:00", "2060-01-01T00:00:00Z"])
      expect((await call("schedule", { publish_at })).text).toContain("- publish_at: Please choose a time within the next ten years");
    expect((await call("schedule", { publish_at: "tomorrow" })).isError).toBe(true);
    expect((await call("publish", { id: "00000000-0000-4000-8000-000000000000" })).text).toContain("Not found");
    await team.editor.api.delete(`/api/posts/${id}`);
    expect((await call("publish", { expected_version: (await stateOf(id)).version })).text).toContain("archived");
    const live = await draft({ status: "published", notify: false });
    const moved = await use(client, "schedule", { id: live.id, expected_version: live.version, publish_at: nextMonth });
    expect(moved.isError).toBe(true);
    expect(questions).toEqual([]);
  });
});

describe("a forged confirmation", () => {
  const asked = async (id: string, args: object = {}, by = secret) => {
    const { result } = await callAsking(by, "publish", { id, expected_version: 1, ...args });
    expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) as string });
    return result!.requestState!;
  };
  const send = async (args: { id: string }, given: object, by = secret, tool = "publish") => {
    const { result, error } = await callAsking(by, tool, { expected_version: 1, ...args }, given);
    const structured = result?.structuredContent as { outcome: string } | undefined;
    return error ? "refused" : result?.isError ? "told" : (structured?.outcome ?? result?.resultType);
  };

  test("is refused from a key that was revoked, or lost its maker's right, after the question", async () => {
    const { key, secret: short } = await newKey(team.admin, team.workspaceId);
    const { id } = await draft();
    const state = await asked(id, {}, short);
    await setRule("all"); // the admin needs approval now
    expect(await send({ id }, { inputResponses: answered, requestState: state }, short)).toBe("review_requested");
    await setRule("off");
    await sql`update public.api_keys set revoked_at = now() where id = ${key.id}`;
    expect((await callAsking(short, "publish", { id, expected_version: 1 }, { inputResponses: answered, requestState: state })).code).toBe(
      "unauthenticated",
    );
    expect((await stateOf(id)).status).toBe("draft");
  });
});

describe("without a client that can ask, nothing is published:", () => {
  test.each(["legacy", "auto"] as const)("a client that can't ask (%s) gets a link to the app", async (mode) => {
    const { id, version } = await draft();
    const client = await connect(secret, mode);
    for (const [tool, more] of [
      ["publish", {}],
      ["schedule", { publish_at: nextMonth }],
    ] as const) {
      const answer = await use(client, tool, { id, expected_version: version, ...more });
      expect([outcomeOf(answer), answer.text]).toEqual(["handed_over", expect.stringContaining(`/changelog/edit/${id}`)]);
    }
    expect([await stateOf(id), await reviewsOf(id)]).toEqual([{ status: "draft", version }, 0]);
  });

  test("a client of 2025 that can ask in its own way gets the link too", async () => {
    const { id, version } = await draft();
    const { client, questions } = await connectAsking(secret, yes, "legacy");
    expect(outcomeOf(await use(client, "publish", { id, expected_version: version }))).toBe("handed_over");
    expect([questions, (await stateOf(id)).status]).toEqual([[], "draft"]);
  });

  test("a key without posts:publish requests a review, whatever its user would say", async () => {
    const { id, version } = await draft();
    const { client, questions } = await connectAsking(await keyWith(team.owner, "posts:read", "posts:write"), yes);
    const answer = await use(client, "publish", { id, expected_version: version });
    expect([outcomeOf(answer), questions, (await stateOf(id)).status]).toEqual(["review_requested", [], "draft"]);
    const { review } = answer.structured as { review: { id: string; version: number } };
    const decided = await team.admin.api.post(`/api/posts/${id}/reviews/${review.id}/decision`, {
      decision: "approve",
      version: review.version,
    });
    expect([decided.status, (await stateOf(id)).status]).toEqual([200, "published"]);
  });

  test("with required approvals the assistant's user isn't asked", async () => {
    await setRule("all");
    const { secret: ofAdmin } = await newKey(team.admin, team.workspaceId, { scopes: apiKeyScopes });
    const { client, questions } = await connectAsking(ofAdmin, yes);
    const { id, version } = await draft();
    const answer = await use(client, "schedule", { id, expected_version: version, publish_at: nextMonth });
    expect([outcomeOf(answer), questions, (await stateOf(id)).status]).toEqual(["review_requested", [], "draft"]);
    const { review } = answer.structured as { review: { id: string; publish_at: string } };
    expect(Date.parse(review.publish_at)).toBe(Date.parse(nextMonth));
    const decide = { decision: "approve", version };
    expect((await team.admin.api.post(`/api/posts/${id}/reviews/${review.id}/decision`, decide)).body.code).toBe("own_review");
    expect((await team.owner.api.post(`/api/posts/${id}/reviews/${review.id}/decision`, decide)).status).toBe(200);
    expect((await stateOf(id)).status).toBe("scheduled");
  });
});
