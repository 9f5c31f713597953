import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { config } from "../../../tests/support/web/fixtures.ts";

// The config is fetched once per visit, so each test is a new visit.
vi.mock("../../lib/config.ts", async (load) => ({ ...(await load<object>()), useConfig: () => current }));
let current: object = config;
const offer = (mode: string, is_offered: boolean, domains: string[] = []) => ({ ...config, signUp: { mode, domains, is_offered } });
beforeEach(() => void stubApi({}));

describe("auth page", () => {
  test.each([
    ["invited", "Sign-up is by invitation."],
    ["closed", "Sign-up is closed."],
  ])("shows that sign-up is %s instead of the form", async (mode, sentence) => {
    current = offer(mode, false);
    const { user, address } = renderApp("/auth?type=signup");
    await screen.findByText(sentence);
    expect(screen.queryByLabelText("Email")).toBeNull();
    await user.click(screen.getByRole("link", { name: "Already have an account? Sign in" }));
    await waitFor(() => expect(address()).toContain("type=signin"));
    await screen.findByLabelText("Email");
    expect(screen.queryByText(/Sign up here/)).toBeNull();
  });

  test("shows the form for an invitation, and explains a used one", async () => {
    current = offer("invited", false);
    stubApi({ "POST /api/auth/signup": refusal("sign_up_by_invitation") });
    const { user } = renderApp("/auth?type=signup&token=spent");
    await user.type(await screen.findByLabelText("Full name"), "Ada");
    await user.type(screen.getByLabelText("Email"), "ada@acme.example");
    await user.type(screen.getByLabelText("Password"), "a long secret");
    expect(screen.queryByText("Sign-up is by invitation.")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Sign up" }));
    await screen.findByText("Sign-up is by invitation.");
  });

  test("lists the allowed email domains", async () => {
    current = offer("domains", true, ["a.example", "b.example"]);
    renderApp("/auth?type=signup");
    await screen.findByText("Sign up with an email address at a.example or b.example.");
    screen.getByLabelText("Email");
  });
});

test("an OAuth sign-up rejected by the rule shows why", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  current = offer("invited", false);
  renderApp("/auth/callback?error=server_error&error_code=unexpected_failure&error_description=Database+error+saving+new+user");
  expect((await screen.findByRole("alert")).textContent).toBe("Sign-up is by invitation.");
});
