import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";

test("an address that does not exist says so and leads on", async () => {
  renderApp("/nowhere");
  await screen.findByRole("heading", { name: "This page was not found", level: 1 });
  expect(screen.getByRole("link", { name: "Go to Workspaces" }).getAttribute("href")).toBe("/workspaces");
  await waitFor(() => expect(document.title).toBe("Page not found · Tidings"));
});
