import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace" };

beforeEach(() => {
  const expires_at = Math.floor(Date.now() / 1000) + 3_600;
  const session = { access_token: "a.b.c", refresh_token: "r", token_type: "bearer", expires_in: 3_600, expires_at, user };
  document.cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}; path=/`;
});
afterEach(() => void (document.cookie = "tc-auth=; path=/; max-age=0"));

test("'Forgot password?' asks for the address and answers the same whether it is known or not", async () => {
  const api = stubApi({ "POST /api/auth/reset": { success: true } });
  const app = renderApp("/auth");
  await app.user.click(await screen.findByRole("link", { name: "Forgot password?" }));
  await screen.findByRole("heading", { name: "Forgot password?" });
  await app.user.type(screen.getByLabelText("Email"), "nobody@acme.example");
  await app.user.click(screen.getByRole("button", { name: "Send the link" }));
  await screen.findByText(/If there is an account for nobody@acme\.example/);
  expect(api.to("POST /api/auth/reset")[0]?.body).toEqual({ email: "nobody@acme.example" });
});

test("the mailed link leads to choosing a new password", async () => {
  const api = stubApi({
    ...signedIn(),
    "POST /api/auth/verify": { success: true, user, choosePassword: false },
    "PUT /auth/v1/user": user,
  });
  const app = renderApp("/auth/confirm?token_hash=abc&type=recovery");
  await app.user.click(await screen.findByRole("button", { name: "Continue" }));
  await waitFor(() => expect(app.address()).toBe("/auth/new-password"));
  await app.user.type(await screen.findByLabelText("New password"), "short");
  await app.user.click(screen.getByRole("button", { name: "Change the password" }));
  await screen.findByText("Please use at least 8 characters");
  await app.user.type(screen.getByLabelText("New password"), " and longer");
  await app.user.click(screen.getByRole("button", { name: "Change the password" }));
  await waitFor(() => expect(app.address()).toBe("/workspaces"));
  expect(api.to("PUT /auth/v1/user")[0]?.body).toMatchObject({ password: "short and longer" });
});

describe("an account that another browser had signed up", () => {
  const elsewhere = { "POST /api/auth/verify": { success: true, user, choosePassword: true }, "PUT /auth/v1/user": user };
  const choose = async () => {
    const app = renderApp("/auth/confirm?token_hash=abc&type=signup");
    await app.user.click(await screen.findByRole("button", { name: "Confirm and continue" }));
    await waitFor(() => expect(app.address()).toBe("/auth/new-password"));
    await screen.findByText(/We do not recognise this browser as the one that signed up/);
    await app.user.type(screen.getByLabelText("New password"), "only I know it");
    await app.user.click(screen.getByRole("button", { name: "Change the password" }));
    return app;
  };

  test("is asked for a password when its address is confirmed, and goes on to onboarding", async () => {
    const api = stubApi({ ...signedIn([]), ...elsewhere, "POST /api/team/join/session": refusal("invalid_invitation") });
    const app = await choose();
    await waitFor(() => expect(app.address()).toBe("/onboarding"));
    expect(api.to("PUT /auth/v1/user")[0]?.body).toMatchObject({ password: "only I know it" });
  });

  test("or to the team whose invitation it was signed up with, not before it has a password", async () => {
    const joined = { success: true, workspaceId: ids.globex };
    const api = stubApi({ ...signedIn(), ...elsewhere, "POST /api/team/join/session": joined });
    const app = await choose();
    await waitFor(() => expect(app.address()).toBe(`/workspace/${ids.globex}/dashboard`));
    const [set, join] = ["PUT /auth/v1/user", "POST /api/team/join/session"].map((call) => api.requests.indexOf(api.to(call)[0]!));
    expect(set).toBeLessThan(join!);
  });
});
