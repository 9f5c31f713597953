import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { open, titles } from "../../../../tests/support/web/posts-table-support.ts";
import { refusal } from "../../../../tests/support/web/stub-api.ts";

describe("bulk actions", () => {
  test("keep refused posts and show an error", async () => {
    const { api, user } = await open("?q=sort%3Arecent_activity");
    api.set({ "DELETE /api/posts/*": () => refusal("forbidden") });
    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    screen.getByText("10 selected");
    await user.click(screen.getByRole("button", { name: "Archive" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Archive" }));
    await screen.findByText("Failed to archive post");
    expect(titles()).toHaveLength(10);
    screen.getByText("10 selected");
  });
});
