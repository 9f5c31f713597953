import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace" };

beforeEach(() => {
  const expires_at = Math.floor(Date.now() / 1000) + 3_600;
  const session = { access_token: "a.b.c", refresh_token: "r", token_type: "bearer", expires_in: 3_600, expires_at, user };
  document.cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}; path=/`;
});
afterEach(() => void (document.cookie = "tc-auth=; path=/; max-age=0"));

test("the forgot password page shows the same message for any address", async () => {
  const api = stubApi({ "POST /api/auth/reset": { success: true } });
  const app = renderApp("/auth");
  await app.user.click(await screen.findByRole("link", { name: "Forgot password?" }));
  await screen.findByRole("heading", { name: "Forgot password?" });
  await app.user.type(screen.getByLabelText("Email"), "nobody@acme.example");
  await app.user.click(screen.getByRole("button", { name: "Send link" }));
  await screen.findByText(/If nobody@acme\.example has an account/);
  expect(api.to("POST /api/auth/reset")[0]?.body).toEqual({ email: "nobody@acme.example" });
});
