import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { truePauses } from "../../../tests/support/web/pauses.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace" };

async function openSignIn(at = "/auth") {
  const app = renderApp(at);
  await screen.findByRole("heading", { name: "Sign in to your account" });
  return app;
}

async function fillSignIn({ user }: ReturnType<typeof renderApp>) {
  await user.type(screen.getByLabelText("Email"), "ada@acme.example");
  await user.type(screen.getByLabelText("Password"), "a long secret");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
}

describe("sign-in form", () => {
  test("shows errors for an empty form and focuses the first field", async () => {
    const api = stubApi({});
    const { user } = await openSignIn();
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(screen.getByText("Email is required")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Email"));
    expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    expect(api.to("POST /api/auth/login")).toEqual([]);
  });

  test("shows the server's error, cleared on switching forms", async () => {
    stubApi({ "POST /api/auth/login": refusal("invalid_credentials") });
    const app = await openSignIn();
    await fillSignIn(app);
    const card = await screen.findByRole("alert");
    expect(within(card).getByText("Oops, something's wrong!")).toBeTruthy();
    expect(within(card).getByText("The email address or password is incorrect.")).toBeTruthy();
    await app.user.click(screen.getByRole("link", { name: "Not a member? Sign up here." }));
    await screen.findByRole("heading", { name: "Sign Up" });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("submits once, with Remember me", async () => {
    const answer = pending<Response>();
    const api = stubApi({ "POST /api/auth/login": () => answer.promise });
    const app = await openSignIn();
    await app.user.click(screen.getByLabelText("Remember me"));
    await fillSignIn(app);
    const button = screen.getByRole("button", { name: "Sign In" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await app.user.click(button);
    expect(api.to("POST /api/auth/login").map(({ body }) => body)).toEqual([
      { email: "ada@acme.example", password: "a long secret", remember: false, provider: "email" },
    ]);
    answer.resolve(refusal("invalid_credentials"));
    await screen.findByRole("alert");
  });

  test("opens the workspace after 600 ms", async () => {
    truePauses();
    let answered = Infinity;
    const answer = () => ((answered = performance.now()), { workspaceId: ids.acme, user });
    stubApi({ ...signedIn(), "POST /api/auth/login": answer });
    const app = await openSignIn();
    await fillSignIn(app);
    await waitFor(() => expect(app.address()).toBe(`/workspace/${ids.acme}/dashboard`));
    expect(performance.now() - answered).toBeGreaterThan(590);
  });

  test("logs a returnUrl of another site and stays, with a link", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    stubApi({ "POST /api/auth/login": { workspaceId: ids.acme, user } });
    const app = await openSignIn("/auth?returnUrl=https%3A%2F%2Fevil.example%2F");
    await fillSignIn(app);
    await screen.findByRole("heading", { name: "You're signed in" });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(app.address()).toContain("/auth?");
    expect(screen.getByRole("link", { name: "Go to Workspaces" })).toBeTruthy();
    expect(logged).toHaveBeenCalled();
  });
});

describe("sign-up form", () => {
  test("opens with type=signup and requires every field", async () => {
    stubApi({});
    const { user } = renderApp("/auth?type=signup");
    await screen.findByRole("heading", { name: "Sign Up" });
    await user.click(screen.getByRole("button", { name: "Sign up" }));
    for (const sentence of ["Full name is required", "Company name is required", "Email is required", "Password is required"]) {
      expect(screen.getByText(sentence)).toBeTruthy();
    }
    await user.type(screen.getByLabelText("Password"), "short");
    await user.type(screen.getByLabelText("Email"), "nonsense");
    expect(screen.getByText("Please use at least 8 characters")).toBeTruthy();
    await user.tab();
    expect(screen.getByText("Please enter a valid email address")).toBeTruthy();
  });

  async function signUpAs(email: string, more: object = {}) {
    const api = stubApi({
      "POST /api/auth/signup": () => Response.json({ success: true }, { status: 201 }),
      "POST /api/auth/resend": { success: true },
      ...more,
    });
    const app = renderApp("/auth?type=signup");
    await app.user.type(await screen.findByLabelText("Full name"), "Ada Lovelace");
    await app.user.type(screen.getByLabelText("Company name"), "Acme");
    await app.user.type(screen.getByLabelText("Email"), email);
    await app.user.type(screen.getByLabelText("Password"), "a long secret");
    await app.user.click(screen.getByRole("button", { name: "Sign up" }));
    await screen.findByRole("heading", { name: "Check Your Email" });
    return { ...app, api };
  }

  test("keeps the other fields when the email is corrected", async () => {
    const { user, api } = await signUpAs("ada@acme.exmaple");
    await user.click(screen.getByRole("button", { name: "Wrong email?" }));
    const email = await screen.findByLabelText<HTMLInputElement>("Email");
    expect(["Full name", "Company name", "Email", "Password"].map((name) => screen.getByLabelText<HTMLInputElement>(name).value)).toEqual([
      "Ada Lovelace",
      "Acme",
      "ada@acme.exmaple",
      "a long secret",
    ]);
    await waitFor(() => expect(document.activeElement).toBe(email));
    await user.clear(email);
    await user.type(email, "ada@acme.example{Enter}");
    await screen.findByText("ada@acme.example");
    expect(api.to("POST /api/auth/signup").map(({ body }) => (body as { email: string }).email)).toEqual([
      "ada@acme.exmaple",
      "ada@acme.example",
    ]);
  });

  test("hides the company for an invitation and sends the token", async () => {
    const api = stubApi({ "POST /api/auth/signup": () => Response.json({ success: true }, { status: 201 }) });
    const { user, address } = renderApp("/auth?type=signup&token=invited&returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Dinvited");
    await user.type(await screen.findByLabelText("Full name"), "Ada");
    expect(screen.queryByLabelText("Company name")).toBeNull();
    await user.type(screen.getByLabelText("Email"), "ada@acme.example");
    await user.type(screen.getByLabelText("Password"), "a long secret");
    await user.click(screen.getByRole("button", { name: "Sign up" }));
    await screen.findByRole("heading", { name: "Check Your Email" });
    expect(api.to("POST /api/auth/signup")[0]?.body).toMatchObject({ token: "invited" });
    await user.click(screen.getByRole("link", { name: "Sign In" }));
    expect(address()).toContain("returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Dinvited");
  });
});
