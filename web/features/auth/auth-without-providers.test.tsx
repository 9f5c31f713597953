import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

// In a file of its own: what an installation offers is asked once a visit.
test("without a provider the form stands alone", async () => {
  const api = stubApi({});
  renderApp("/auth");
  await screen.findByRole("link", { name: "Not a member? Sign up here." });
  await waitFor(() => expect(api.to("GET /api/config")).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 100)); // the answer has come
  expect(screen.queryByRole("button", { name: /Continue with/ })).toBeNull();
});
