import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { acme, ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const at = `/auth/second-step?redirectTo=%2Fworkspaces`;
const user = { id: ids.person, email: "ada@example.com", full_name: "Ada" };
const factors = { factors: [], recovery_codes_left: 0, required_by: [], single_sign_on_required_by: [] };

test("the second step sends the code without spaces, and continues where sign-in began", async () => {
  const api = stubApi({
    ...signedIn([acme]),
    "POST /api/auth/factor": { workspaceId: ids.acme, user },
    "GET /api/account/factors": factors,
  });
  const { user: person } = renderApp(at);
  await person.type(await screen.findByLabelText("Code"), "123 456{Enter}");
  await screen.findByRole("heading", { level: 1, name: "Your Workspaces" });
  expect(api.to("POST /api/auth/factor")[0]?.body).toEqual({ code: "123456" });
});

test("an ended session repeats the first step", async () => {
  stubApi({ "POST /api/auth/factor": refusal("unauthenticated") });
  const { user: person } = renderApp(at);
  await person.type(await screen.findByLabelText("Code"), "123456{Enter}");
  await screen.findByRole("heading", { level: 1, name: "Sign in to your account" });
});
