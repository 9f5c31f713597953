import { render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { noDetails } from "#contract/rules/post-details.ts";
import type { Review } from "#contract/reviews.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, revisionOf, stubSockets } from "../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";
import { hasReviewInfo, commandFor, roleNeedsApproval, type ReviewState } from "./use-review.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

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

async function open(role: "owner" | "editor", fields: object, more: object = {}) {
  const api = stubApi({
    ...changelogStubs(fullPost(), role),
    "GET /api/workspaces/*/review": { rule: "editors" },
    "GET /api/posts/*/reviews": standing(fields),
    ...more,
  });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  return { ...app, api };
}
const button = (name: string) => screen.findByRole("button", { name });

describe("review rules", () => {
  const none: ReviewState = {
    ...{ needsApproval: true, canApprove: false, canDecide: false, reviews: [], proposals: [] },
  };
  test.each([
    ["publish", "draft", "ask"],
    ["schedule", "draft", "ask"],
    ["schedule", "scheduled", "ask"],
    ["save", "draft", "save"],
    ["save", "published", "propose"],
    ["archive", "published", "archive"],
  ] as const)("commandFor turns %s of a %s post into %s", (command, status, expected) => {
    expect(commandFor(command, none, status)).toBe(expected);
    expect(commandFor(command, { ...none, needsApproval: false }, status)).toBe(command);
  });

  test("roleNeedsApproval depends on rule and role", () => {
    const bound = (rule: "off" | "editors" | "all") =>
      (["owner", "admin", "editor", "viewer"] as const).filter((role) => roleNeedsApproval(rule, role));
    expect([bound("off"), bound("editors"), bound("all")]).toEqual([[], ["editor"], ["admin", "editor"]]);
    expect([hasReviewInfo(none), hasReviewInfo({ ...none, needsApproval: false })]).toEqual([true, false]);
  });
});

describe("AskDialog", () => {
  test("requests approval of the current version and rejects a note over the limit", async () => {
    const { user, api } = await open("editor", {}, { "POST /api/posts/*/reviews": { review } });
    expect(await screen.findByText("Someone else needs to approve this post before it's published.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
    await user.click(await button("Request approval"));
    const dialog = await screen.findByRole("dialog", { name: "Request approval" });
    const note = within(dialog).getByRole("textbox", { name: "Note (optional)" });
    await user.click(note);
    await user.paste("n".repeat(2_001));
    await user.click(within(dialog).getByRole("button", { name: "Request approval" }));
    expect(within(dialog).getByText("Notes can have up to 2,000 characters. This one has 2,001.")).toBeTruthy();
    expect(note.getAttribute("aria-invalid")).toBe("true");
    expect(api.to("POST /api/posts/*/reviews")).toHaveLength(0);
    await user.type(note, "{Backspace}");
    await user.click(within(dialog).getByRole("button", { name: "Request approval" }));
    await screen.findByText("Approval requested");
    expect(api.to("POST /api/posts/*/reviews")[0]?.body).toEqual({ version: 1, publish_at: null, note: "n".repeat(2_000) });
  });

  test("shows a version conflict and keeps the note", async () => {
    const { user } = await open("editor", {}, { "POST /api/posts/*/reviews": () => refusal("version_conflict") });
    await user.click(await button("Request approval"));
    const dialog = await screen.findByRole("dialog", { name: "Request approval" });
    await user.type(within(dialog).getByRole("textbox", { name: "Note (optional)" }), "Please");
    await user.click(within(dialog).getByRole("button", { name: "Request approval" }));
    expect(await within(dialog).findByText("Someone just changed this post. Review it, then request approval again.")).toBeTruthy();
    expect(within(dialog).getByRole<HTMLTextAreaElement>("textbox", { name: "Note (optional)" }).value).toBe("Please");
  });
});

describe("ReviewBar for a reviewer", () => {
  test("doesn't approve a version that has changed", async () => {
    const { user } = await open(
      "owner",
      { exempt: true, may_decide: true, reviews: [review] },
      { "POST /api/posts/*/reviews/*/decision": () => refusal("version_conflict") },
    );
    await user.click(await button("Approve"));
    const dialog = await screen.findByRole("dialog", { name: "Approve this post?" });
    await user.click(within(dialog).getByRole("button", { name: "Approve and publish" }));
    expect(await within(dialog).findByText(/Review the latest version before you decide/)).toBeTruthy();
  });
});

describe("a proposal by the user's own assistant", () => {
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
  const whole = { ...proposal, summary: null, tags: [], cover_image: null, details: noDetails, content_raw: content, content_md: "" };
  const stubs = {
    "GET /api/posts/*": { post: fullPost({ status: "published", published_at: "2026-01-04T09:00:00.000Z" }) },
    "GET /api/posts/*/proposals/*": { proposal: whole },
    "DELETE /api/posts/*/proposals/*": { success: true },
  };

  test("opens in the editor, unsaved, and is withdrawn", async () => {
    const { user, api } = await open("owner", { exempt: true, proposals: [proposal] }, stubs);
    expect((await screen.findByText("Ada (Robot) proposed changes to this post")).closest("[role=status]")).toBeTruthy();
    await user.click(await button("View changes"));
    const dialog = await screen.findByRole("dialog", { name: "Proposal by Ada (Robot)" });
    expect(within(dialog).queryByRole("button", { name: "Accept" })).toBeNull();
    const take = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Open in editor" });
    await waitFor(() => expect(take.disabled).toBe(false));
    await user.click(take);
    await screen.findByText("Opened in the editor");
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toContain("Words of the assistant.");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("By an assistant");
    expect(api.to("DELETE /api/posts/*/proposals/*")).toHaveLength(1);
    expect(api.to("PUT /api/posts/*")).toHaveLength(0);
  });

  test.each([
    [1, "Now", "Now it is live"],
    [2, "Version 1", "When it was proposed"],
  ])("of a post at version %i is compared with %s", async (version, label, before) => {
    stubApi({
      "GET /api/posts/*": { post: fullPost({ status: "published", version, title: "Now it is live" }) },
      "GET /api/posts/*/revisions/*": { revision: revisionOf(fullPost({ title: "When it was proposed" })) },
      "GET /api/posts/*/proposals/*": { proposal: whole },
    });
    const nothing = () => undefined;
    const [post, proposals] = [fullPost({ status: "published", version }), [proposal] as never];
    const stands: ReviewState = { needsApproval: false, canApprove: true, canDecide: false, reviews: [], proposals };
    render(
      <ProposalDialog
        {...{ post, status: "published", proposalId: proposal.id, standing: stands, userId: bob, dirty: false }}
        {...{ onDecided: nothing, onTake: () => Promise.resolve(true), onClose: nothing }}
      />,
    );
    const differences = await screen.findByRole("list", { name: "Differences" });
    expect(differences.textContent).toContain(before);
    expect(screen.getByText(label, { exact: true })).toBeTruthy();
    expect((await button("Accept")).hasAttribute("disabled")).toBe(version === 2);
  });
});
