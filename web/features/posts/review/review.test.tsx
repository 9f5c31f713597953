import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Review } from "#contract/reviews.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, revisionOf, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";
import { moment } from "../../../lib/moment.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";
import { hasNews, instead, isApproved, type Standing } from "./use-review.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const bob = "55555555-5555-4555-8555-555555555555";
const review: Review = {
  ...{ id: "66666666-6666-4666-8666-666666666666", post_id: ids.post, version: 1, state: "waiting", publish_at: null, note: "For Monday" },
  ...{
    asked_at: "2026-01-05T09:00:00.000Z",
    asked_by: bob,
    asked_by_name: "Bob",
    decided_at: null,
    decided_by_name: null,
    decision_note: null,
  },
};
const standing = (fields: object = {}) => ({ rule: "editors", exempt: false, may_decide: false, reviews: [], proposals: [], ...fields });

async function open(role: "owner" | "editor", stands: object, more: object = {}) {
  const api = stubApi({
    ...changelogStubs(fullPost(), role),
    "GET /api/workspaces/*/review": { rule: "editors" },
    "GET /api/posts/*/reviews": standing(stands),
    ...more,
  });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  return { ...app, api };
}
const button = (name: string) => screen.findByRole("button", { name });

describe("what stands in the place of publishing", () => {
  const none: Standing = {
    ...{ needsApproval: true, mayApprove: false, mayDecide: false, reviews: [], proposals: [], reload: () => {} },
  };
  test.each([
    ["publish", "draft", "ask"],
    ["schedule", "draft", "ask"],
    ["schedule", "scheduled", "ask"],
    ["save", "draft", "save"],
    ["save", "published", "propose"],
    ["archive", "published", "archive"],
  ] as const)("%s of a %s post: %s", (command, status, wanted) => {
    expect(instead(command, none, status)).toBe(wanted);
    expect(instead(command, { ...none, needsApproval: false }, status)).toBe(command);
  });

  test("is told by rule and role", () => {
    const bound = (rule: "off" | "editors" | "all") =>
      (["owner", "admin", "editor", "viewer"] as const).filter((role) => isApproved(rule, role));
    expect([bound("off"), bound("editors"), bound("all")]).toEqual([[], ["editor"], ["admin", "editor"]]);
    expect([hasNews(none), hasNews({ ...none, needsApproval: false })]).toEqual([true, false]);
  });
});

describe("an editor", () => {
  test("asks for the version on the screen; a note that is too long stays, and nothing is sent", async () => {
    const { user, api } = await open("editor", {}, { "POST /api/posts/*/reviews": { review } });
    expect(await screen.findByText("Readers see this post once a second person has approved it.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
    await user.click(await button("Ask for approval"));
    const dialog = await screen.findByRole("dialog", { name: "Ask for approval" });
    const note = within(dialog).getByRole("textbox", { name: "Note (optional)" });
    await user.click(note);
    await user.paste("n".repeat(2_001));
    await user.click(within(dialog).getByRole("button", { name: "Ask for approval" }));
    expect(within(dialog).getByText("A note can have at most 2,000 characters; this has 2,001")).toBeTruthy();
    expect(note.getAttribute("aria-invalid")).toBe("true");
    expect(api.to("POST /api/posts/*/reviews")).toHaveLength(0);
    await user.type(note, "{Backspace}");
    await user.click(within(dialog).getByRole("button", { name: "Ask for approval" }));
    await screen.findByText("Approval asked for");
    expect(api.to("POST /api/posts/*/reviews")[0]?.body).toEqual({ version: 1, publish_at: null, note: "n".repeat(2_000) });
  });

  test("is told when somebody was faster, and keeps the note", async () => {
    const { user } = await open("editor", {}, { "POST /api/posts/*/reviews": () => refusal("version_conflict") });
    await user.click(await button("Ask for approval"));
    const dialog = await screen.findByRole("dialog", { name: "Ask for approval" });
    await user.type(within(dialog).getByRole("textbox", { name: "Note (optional)" }), "Please");
    await user.click(within(dialog).getByRole("button", { name: "Ask for approval" }));
    expect(await within(dialog).findByText("Somebody has changed this post a moment ago. Look at it, and ask again.")).toBeTruthy();
    expect(within(dialog).getByRole<HTMLTextAreaElement>("textbox", { name: "Note (optional)" }).value).toBe("Please");
  });

  test("is told that asking again replaces what waits, and begins with it", async () => {
    const publish_at = "2031-03-04T09:00:00.000Z";
    const waits = { ...review, asked_by: ids.person, publish_at };
    const { user, api } = await open("editor", { reviews: [waits] }, { "POST /api/posts/*/reviews": { review } });
    await screen.findByText("Waiting for approval");
    await user.click(await button("Ask for approval"));
    const dialog = await screen.findByRole("dialog", { name: "Ask for approval" });
    expect(dialog.textContent).toContain(`This replaces what you asked on ${moment(waits.asked_at)}.`);
    await user.type(within(dialog).getByRole("textbox", { name: "Note (optional)" }), ", please");
    await user.click(within(dialog).getByRole("button", { name: "Ask for approval" }));
    await screen.findByText("Approval asked for");
    expect(api.to("POST /api/posts/*/reviews")[0]?.body).toEqual({ version: 1, publish_at, note: "For Monday, please" });
  });

  test("is told whose request is replaced", async () => {
    const { user } = await open("editor", { reviews: [review] });
    await screen.findByText("Bob asks for approval");
    await user.click(await button("Ask for approval"));
    expect((await screen.findByRole("dialog", { name: "Ask for approval" })).textContent).toContain("This replaces what Bob asked on");
  });

  test("takes back what was asked", async () => {
    const { user, api } = await open(
      "editor",
      { reviews: [{ ...review, asked_by: ids.person }] },
      { "DELETE /api/posts/*/reviews/*": { success: true } },
    );
    expect((await screen.findByText("Waiting for approval")).closest("[role=status]")?.textContent).toContain("For Monday");
    await user.click(await button("Take back"));
    await waitFor(() => expect(api.to("DELETE /api/posts/*/reviews/*")).toHaveLength(1));
  });

  test.each([
    [{ state: "refused", decided_by_name: "Ada", decision_note: "A picture is missing." }, "Ada did not approve this post"],
    [{ state: "void", decided_at: "2026-01-05T09:00:00.000Z" }, "Changed after it was approved."],
    [{ state: "void" }, "Changed after approval was asked for."],
  ])("reads what became of it: %j", async (fields, words) => {
    await open("editor", { reviews: [{ ...review, ...fields }] });
    expect((await screen.findByText(words)).closest("[role=status]")?.textContent).toContain(
      "decision_note" in fields ? fields.decision_note! : "",
    );
  });
});

describe("who approves", () => {
  test("reads who asks, and publishes it", async () => {
    const published = fullPost({ status: "published", published_at: "2026-01-06T09:00:00.000Z", version: 2 });
    const { user, api } = await open(
      "owner",
      { exempt: true, may_decide: true, reviews: [review] },
      { "POST /api/posts/*/reviews/*/decision": { review: { ...review, state: "approved" }, post: published } },
    );
    expect((await screen.findByText("Bob asks for approval")).closest("[role=status]")?.textContent).toContain("to be published at once");
    await user.click(await button("Approve"));
    const dialog = await screen.findByRole("dialog", { name: "Approve this post?" });
    await user.click(within(dialog).getByRole("button", { name: "Approve and publish" }));
    await screen.findByText("Approved and published");
    expect(api.to("POST /api/posts/*/reviews/*/decision")[0]?.body).toEqual({ version: 1, decision: "approve", note: "" });
  });

  test("is not kept from the text by a long note, and publishing is not offered beside approving", async () => {
    const note = "It is long. ".repeat(100).trim();
    const { user } = await open("owner", { exempt: true, may_decide: true, reviews: [{ ...review, note }] });
    const bar = (await screen.findByText("Bob asks for approval")).closest("[role=status]");
    expect(bar!.textContent!.length).toBeLessThan(400);
    expect([(await button("Approve")).className, (await button("Publish")).className].map((name) => /primary/.test(name))).toEqual([
      true,
      false,
    ]);
    await user.click(await button("Read all of it"));
    expect(bar?.textContent).toContain(note);
  });

  test("does not approve what is not what was asked for", async () => {
    const { user } = await open(
      "owner",
      { exempt: true, may_decide: true, reviews: [review] },
      { "POST /api/posts/*/reviews/*/decision": () => refusal("version_conflict") },
    );
    await user.click(await button("Approve"));
    const dialog = await screen.findByRole("dialog", { name: "Approve this post?" });
    await user.click(within(dialog).getByRole("button", { name: "Approve and publish" }));
    expect(await within(dialog).findByText(/Look at what it is now before you decide/)).toBeTruthy();
  });

  test("finds on the dashboard what waits, oldest first", async () => {
    stubApi({
      ...signedIn([{ ...acme, role: "admin" }]),
      "GET /api/dashboard/*/all": emptyDashboard,
      "GET /api/posts/upcoming": { posts: [] },
      "GET /api/workspaces/*/waiting": { reviews: [{ ...review, title: "Dark mode" }], proposals: [] },
    });
    renderApp(`/workspace/${ids.acme}/dashboard`);
    const waiting = await screen.findByRole("region", { name: "Waiting for you (1)" });
    expect(waiting.textContent).toContain("Bob asks for approval of Dark mode");
    expect(within(waiting).getByRole("link", { name: "Dark mode" }).getAttribute("href")).toBe(paths.edit());
  });
});

describe("what one's own assistant proposes", () => {
  const proposal = {
    ...{
      id: "77777777-7777-4777-8777-777777777777",
      post_id: ids.post,
      base_version: 1,
      state: "waiting",
      title: "By an assistant",
      note: null,
    },
    ...{ proposed_at: "2026-01-05T09:00:00.000Z", proposed_by: ids.person, proposed_by_name: "Ada (Robot)", by_key: true },
    ...{ decided_at: null, decided_by_name: null, decision_note: null },
  };
  const content = JSON.stringify({
    time: 0,
    version: "2.28.2",
    blocks: [{ id: "body", type: "paragraph", data: { text: "Words of the assistant." } }],
  });
  const whole = { ...proposal, summary: null, tags: [], cover_image: null, content_raw: content, content_md: "" };
  const stubs = {
    "GET /api/posts/*": { post: fullPost({ status: "published", published_at: "2026-01-04T09:00:00.000Z" }) },
    "GET /api/posts/*/proposals/*": { proposal: whole },
    "DELETE /api/posts/*/proposals/*": { success: true },
  };

  test("is taken into the editor, unsaved, and waits no more", async () => {
    const { user, api } = await open("owner", { exempt: true, proposals: [proposal] }, stubs);
    expect((await screen.findByText("Ada (Robot) proposes changes to this post")).closest("[role=status]")).toBeTruthy();
    await user.click(await button("Look at the changes"));
    const dialog = await screen.findByRole("dialog", { name: "What Ada (Robot) proposes" });
    expect(within(dialog).queryByRole("button", { name: "Accept" })).toBeNull();
    const take = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Take into the editor" });
    await waitFor(() => expect(take.disabled).toBe(false));
    await user.click(take);
    await screen.findByText("It is in the editor now");
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toContain("Words of the assistant.");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("By an assistant");
    expect(api.to("DELETE /api/posts/*/proposals/*")).toHaveLength(1);
    expect(api.to("PUT /api/posts/*")).toHaveLength(0);
  });

  test.each([
    [1, "Now", "Now it is live"],
    [2, "Version 1", "When it was proposed"],
  ])("where the post has version %i it stands beside %s, which others have not changed", async (version, label, before) => {
    stubApi({
      "GET /api/posts/*": { post: fullPost({ status: "published", version, title: "Now it is live" }) },
      "GET /api/posts/*/revisions/*": { revision: revisionOf(fullPost({ title: "When it was proposed" })) },
      "GET /api/posts/*/proposals/*": { proposal: whole },
    });
    const nothing = () => undefined;
    const [post, proposals] = [fullPost({ status: "published", version }), [proposal] as never];
    const stands: Standing = { needsApproval: false, mayApprove: true, mayDecide: false, reviews: [], proposals, reload: nothing };
    render(
      <ProposalDialog
        {...{ post, status: "published", proposalId: proposal.id, standing: stands, userId: bob, dirty: false }}
        {...{ onDecided: nothing, onTake: () => Promise.resolve(true), onClose: nothing }}
      />,
    );
    const differences = await screen.findByRole("list", { name: "What differs" });
    expect(differences.textContent).toContain(before);
    expect(screen.getByText(label, { exact: true })).toBeTruthy();
    expect((await button("Accept")).hasAttribute("disabled")).toBe(version === 2);
  });

  test("is not withdrawn as long as the editor is on its way and cannot take it", async () => {
    const api = stubApi(stubs);
    const taken = vi.fn<() => Promise<boolean>>().mockResolvedValue(false);
    const nothing = () => undefined;
    const [post, proposals] = [fullPost({ status: "published" }), [proposal] as never];
    const stands: Standing = { needsApproval: false, mayApprove: false, mayDecide: false, reviews: [], proposals, reload: nothing };
    const user = userEvent.setup();
    render(
      <ProposalDialog
        {...{ post, status: "published", proposalId: proposal.id, standing: stands, userId: ids.person, dirty: false }}
        {...{ onDecided: nothing, onTake: taken, onClose: nothing }}
      />,
    );
    const take = await screen.findByRole<HTMLButtonElement>("button", { name: "Take into the editor" });
    await waitFor(() => expect(take.disabled).toBe(false));
    await user.click(take);
    expect(await screen.findByText(/The editor is still on its way/)).toBeTruthy();
    expect(api.to("DELETE /api/posts/*/proposals/*")).toEqual([]);
  });

  test("is not put over what is written and not saved", async () => {
    const { user } = await open("owner", { exempt: true, proposals: [proposal] }, stubs);
    await user.type(screen.getByRole("textbox", { name: "Body" }), " And mine.");
    await user.click(await button("Look at the changes"));
    const dialog = await screen.findByRole("dialog", { name: "What Ada (Robot) proposes" });
    expect(within(dialog).getByText(/Save what is in the editor first/)).toBeTruthy();
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Take into the editor" }).disabled).toBe(true);
  });
});

describe("the rule", () => {
  const openSettings = async (role: "owner" | "admin", answer: unknown = { rule: "all" }) => {
    const api = stubApi({
      ...signedIn([{ ...acme, role }]),
      "GET /api/workspaces/*/review": { rule: "off" },
      "PUT /api/workspaces/*/review": () => answer,
    });
    return { ...renderApp(`/workspace/${ids.acme}/settings`), api };
  };

  test("is the owner's to change", async () => {
    const { user, api } = await openSettings("owner");
    const all = await screen.findByRole("radio", { name: "Everybody's but the owner's" });
    await user.click(all);
    await screen.findByText("Saved");
    expect(api.to("PUT /api/workspaces/*/review")[0]?.body).toEqual({ rule: "all" });
    expect((all as HTMLInputElement).checked).toBe(true);
  });

  test("stays what it is when that is refused", async () => {
    const { user } = await openSettings("owner", refusal("forbidden"));
    const all = await screen.findByRole<HTMLInputElement>("radio", { name: "Everybody's but the owner's" });
    await user.click(all);
    await screen.findByText("This was not saved");
    await waitFor(() => expect(all.checked).toBe(false));
  });

  test("is read by administrators", async () => {
    await openSettings("admin");
    expect(await screen.findByText(/Nobody's posts are approved by a second person. The owner can change this./)).toBeTruthy();
  });
});
