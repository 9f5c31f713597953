import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { matchingMedia } from "../../../tests/support/web/setup.ts";
import { acme, ada, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const gif = new Uint8Array([...new TextEncoder().encode("GIF89a"), 1, 0, 1, 0, 0, 0, 0]);
const image = (name: string, bytes: BlobPart = gif) => new File([bytes], name, { type: "image/gif" });
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

let api: ReturnType<typeof stubApi>;
beforeEach(() => {
  matchingMedia.add("(prefers-reduced-motion: reduce)");
  api = stubApi({
    ...signedIn([]),
    "GET /api/profiles/me": { success: true, profile: { ...ada, company_name: null } },
    "GET /api/workspaces/subdomain-available": { available: true, reason: null },
    "GET /api/dashboard/*/all": emptyDashboard,
    "GET /api/posts/upcoming": { posts: [] },
    "POST /api/workspaces/create": () => {
      api.set({ "GET /api/workspaces": { workspaces: [acme] } });
      return Response.json({ workspace: acme }, { status: 201 });
    },
  });
});

async function open() {
  const app = renderApp("/onboarding");
  await screen.findByRole("heading", { name: "Tell us about your company" });
  return app;
}
async function fillCompany({ user }: ReturnType<typeof renderApp>) {
  await user.type(screen.getByLabelText("Business name"), "Acme Böat");
  await user.type(screen.getByLabelText("Business website"), "https://acme.example");
}
async function toPerson(app: ReturnType<typeof renderApp>) {
  await fillCompany(app);
  await app.user.click(screen.getByRole("button", { name: "Next" }));
  await screen.findByRole("heading", { name: "It's all about you..." });
}
async function complete(app: ReturnType<typeof renderApp>) {
  await toPerson(app);
  await app.user.type(screen.getByLabelText("Job title"), "Engineer");
  await app.user.click(screen.getByRole("button", { name: "Complete" }));
}

describe("the steps", () => {
  test("fields prefilled from the profile keep what replaced them through Next, Previous, a refusal and a reload", async () => {
    api.set({
      "GET /api/profiles/me": { success: true, profile: { ...ada, company_name: "Interface Co", job_title: "Countess" } },
      "POST /api/workspaces/create": refusal("subdomain_taken"),
    });
    const replace = async ({ user }: ReturnType<typeof renderApp>, label: string, text: string) => {
      await user.clear(screen.getByLabelText(label));
      await user.type(screen.getByLabelText(label), text);
    };
    const press = async ({ user }: ReturnType<typeof renderApp>, button: string, heading: string) => {
      await user.click(screen.getByRole("button", { name: button }));
      await screen.findByRole("heading", { name: heading });
    };
    const [company, person] = ["Tell us about your company", "It's all about you..."];
    const companyValues = () => [value("Business name"), value("Custom subdomain"), value("Business website")];
    const typed = ["Uma GmbH", "uma-news", "https://uma.example"];

    const app = await open();
    await replace(app, "Business name", "Uma GmbH");
    await replace(app, "Custom subdomain", "uma-news");
    await replace(app, "Business website", "https://uma.example");
    await press(app, "Next", person);
    await replace(app, "Job title", "Founder");
    await press(app, "Previous", company);
    expect(companyValues()).toEqual(typed);
    await press(app, "Next", person);
    expect(value("Job title")).toBe("Founder");
    await app.user.click(screen.getByRole("button", { name: "Complete" }));
    await screen.findByText("This subdomain is already taken.");
    expect(companyValues()).toEqual(typed);
    cleanup();

    const reloaded = await open();
    expect(companyValues()).toEqual(typed);
    await replace(reloaded, "Custom subdomain", "uma-gmbh");
    await press(reloaded, "Next", person);
    expect(value("Job title")).toBe("Founder");
    await press(reloaded, "Previous", company);
    expect(value("Custom subdomain")).toBe("uma-gmbh");
    await press(reloaded, "Next", person);
    await reloaded.user.click(screen.getByRole("button", { name: "Complete" }));
    await waitFor(() =>
      expect(api.to("POST /api/workspaces/create").at(-1)?.body).toEqual({
        name: "Uma GmbH",
        subdomain: "uma-gmbh",
        origin: "https://uma.example",
        jobTitle: "Founder",
      }),
    );
  });
});

describe("lost response", () => {
  const keys = () => api.to("POST /api/workspaces/create").map(({ headers }) => headers.get("idempotency-key"));
  const retry = async ({ user }: ReturnType<typeof renderApp>) => {
    const before = keys().length;
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Complete" }).disabled).toBe(false));
    await user.click(screen.getByRole("button", { name: "Complete" }));
    await waitFor(() => expect(keys()).toHaveLength(before + 1));
    await screen.findByRole("heading", { name: "It's all about you..." });
  };
  beforeEach(() => api.set({ "POST /api/workspaces/create": () => Promise.reject(new TypeError("cut off")) }));

  test("retries with the same idempotency key, also after a reload", async () => {
    const app = await open();
    await complete(app);
    await screen.findByText(/We can't reach the server/);
    await retry(app);
    cleanup();
    const reloaded = renderApp("/onboarding");
    await screen.findByRole("heading", { name: "It's all about you..." });
    await retry(reloaded);
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[\x21-\x7e]{20,}$/);
  });
});

describe("onboarding validation", () => {
  test("shows errors on Next and focuses the first", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Next" }));
    for (const sentence of ["Business name is required", "Subdomain is required", "Website URL is required"])
      expect(screen.getByText(sentence)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Business name")));
    await user.type(screen.getByLabelText("Business website"), "acme"); // not a URL
    await user.tab();
    expect(screen.getByText("Please enter a valid URL (e.g., https://example.com)")).toBeTruthy();
    expect(screen.getByText("This will be your changelog URL subdomain")).toBeTruthy();
  });
});

describe("logo and avatar", () => {
  test("are shown, can be taken away, and are uploaded after the workspace exists", async () => {
    const stored = (answer: object) => () => Response.json({ success: true, ...answer }, { status: 201 });
    api.set({ "POST /api/workspaces/*/logo": stored({ logo_url: "/l" }), "POST /api/profiles/me/avatar": stored({ avatar_url: "/a" }) });
    const app = await open();
    await app.user.upload(screen.getByLabelText(/^Logo/), image("logo.gif"));
    await screen.findByRole("img", { name: "Logo: logo.gif" });
    await app.user.click(screen.getByRole("button", { name: "Remove logo" }));
    expect(screen.queryByRole("img")).toBeNull();
    await app.user.upload(screen.getByLabelText(/^Logo/), image("again.gif"));
    await toPerson(app);
    await app.user.upload(screen.getByLabelText(/^Avatar/), image("me.gif"));
    await screen.findByRole("img", { name: "Avatar: me.gif" });
    await app.user.type(screen.getByLabelText("Job title"), "Engineer");
    await app.user.click(screen.getByRole("button", { name: "Complete" }));
    await waitFor(() => expect(app.address()).toBe(`/workspace/${ids.acme}/dashboard`));
    const order = api.requests.filter(({ method }) => method === "POST").map(({ path, file }) => [path, file?.name]);
    expect(order[0]).toEqual(["/api/workspaces/create", undefined]);
    expect(order.slice(1)).toEqual([
      [`/api/workspaces/${ids.acme}/logo`, "again.gif"],
      ["/api/profiles/me/avatar", "me.gif"],
    ]);
  });
});
