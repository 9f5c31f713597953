import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Review } from "#contract/reviews.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";
import { storeNote, noteKey, noteOwner, readNote } from "./unsaved-notes.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const day = "2026-01-05T09:00:00.000Z";
const bob = "55555555-5555-4555-8555-555555555555";
const review: Review = {
  ...{ id: "66666666-6666-4666-8666-666666666666", post_id: ids.post, version: 1, state: "waiting", publish_at: null, note: null },
  ...{ asked_at: day, asked_by: bob, asked_by_name: "Bob", decided_at: null, decided_by_name: null, decision_note: null },
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
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  return { ...app, api, body };
}
const button = (name: string) => screen.findByRole("button", { name });
const note = (dialog: HTMLElement) => within(dialog).getByRole<HTMLTextAreaElement>("textbox", { name: "Note (optional)" });
async function write(dialog: HTMLElement, words: string, user: ReturnType<typeof renderApp>["user"]) {
  await waitFor(() => expect(document.activeElement).toBe(note(dialog)));
  await user.keyboard(words);
}
const closed = (name: string) => waitFor(() => expect(screen.queryByRole("dialog", { name })).toBeNull());

describe("a decision's note", () => {
  test("is restored after Escape, for the same decision only, until it is sent", async () => {
    const answer = { review: { ...review, state: "refused" }, post: fullPost() };
    const stubs = { "POST /api/posts/*/reviews/*/decision": answer };
    const { user, api } = await open("owner", { exempt: true, may_decide: true, reviews: [review] }, stubs);
    const refuse = async () => {
      await user.click(await button("Request changes"));
      return screen.findByRole("dialog", { name: "Request changes to this post?" });
    };
    await write(await refuse(), "A picture is missing.{Escape}", user);
    await closed("Request changes to this post?");
    await user.click(await button("Approve"));
    const yes = await screen.findByRole("dialog", { name: "Approve this post?" });
    expect(note(yes).value).toBe("");
    await user.click(within(yes).getByRole("button", { name: "Cancel" }));
    await closed("Approve this post?");
    const no = await refuse();
    expect(note(no).value).toBe("A picture is missing.");
    await user.click(within(no).getByRole("button", { name: "Request changes" }));
    await closed("Request changes to this post?");
    expect(api.to("POST /api/posts/*/reviews/*/decision")[0]?.body).toMatchObject({ note: "A picture is missing." });
    expect(note(await refuse()).value).toBe("");
  });
});

test("readNote is per user and kind, and ignores malformed storage", () => {
  const place = noteKey(noteOwner("ada", "p"), "refuse");
  storeNote(place, { note: "No", time: { day: "2026-01-05", time: "09:00" } });
  expect(readNote(place)).toEqual({ note: "No", time: { day: "2026-01-05", time: "09:00" } });
  expect([noteKey(noteOwner("bob", "p"), "refuse"), noteKey(noteOwner("ada", "p"), "approve"), noteKey(null, "ask")].map(readNote)).toEqual(
    [...[null, null, null]],
  );
  for (const malformed of ["", "{", "[1]", '{"note":5}', '"No"']) {
    sessionStorage.setItem(place!, malformed);
    expect(readNote(place)).toBeNull();
  }
  sessionStorage.setItem(place!, '{"note":"No","time":{"day":5}}');
  expect(readNote(place)).toEqual({ note: "No" });
  storeNote(place, null);
  expect(sessionStorage).toHaveLength(0);
});
