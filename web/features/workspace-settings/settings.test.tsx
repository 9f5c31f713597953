import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { version } from "#contract/version.ts";
import { acme, ada, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { settingsPages } from "../../../tests/support/web/settings-pages.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const bob = {
  user_id: "55555555-5555-4555-8555-555555555555",
  full_name: "Bob",
  email: "bob@acme.example",
  role: "editor",
  avatar_url: null,
};
const members = {
  members: [{ ...bob, user_id: ids.person, full_name: "Ada", role: "owner" }, bob].map((one) => ({ ...one, created_at: ada.created_at })),
};
const stubs = (role: Role = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/team/*/team": members,
  "PATCH /api/workspaces/*": ({ body }: { body: unknown }) => ({ workspace: { ...acme, ...(body as object) } }),
});
const at = `/workspace/${ids.acme}/settings`;
const sections = () => screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);

describe("workspace settings", () => {
  const open = async (role: Role = "owner", more: object = {}) => {
    const api = stubApi({ ...stubs(role), ...more });
    const app = renderApp(at);
    await screen.findByRole("heading", { level: 1, name: "Workspace settings" });
    return { ...app, api };
  };

  test("show the version of Tidings", async () => {
    await open();
    expect(screen.queryByText(`Tidings ${version}`)).not.toBeNull();
  });

  test.each<[Role, number]>([
    ["owner", 1],
    ["admin", 1],
    ["editor", 0],
    ["viewer", 0],
  ])("show the %s their pages", async (role, saves) => {
    await open(role);
    const navigation = screen.getByRole("navigation", { name: "Settings" });
    await waitFor(() =>
      expect(
        within(navigation)
          .getAllByRole("link")
          .map(({ textContent }) => textContent)
          .toSorted(),
      ).toEqual(settingsPages[role].toSorted()),
    );
    expect(sections()).toEqual(["General"]);
    expect(screen.queryAllByRole("button", { name: "Save" })).toHaveLength(saves);
  });

  test.each<[Role, string, string]>([
    ["admin", "backup", "Only the owner can see this page."],
    ["editor", "domain", "Only owners and admins can see this page."],
  ])("tell the %s who can open %s", async (role, page, sentence) => {
    stubApi(stubs(role));
    renderApp(`${at}/${page}`);
    expect(await screen.findByText(sentence)).not.toBeNull();
  });

  test("redirect former anchors to their page", async () => {
    stubApi({ ...stubs(), "GET /api/workspaces/*/add-ons": { add_ons: [], requested: [], included: true } });
    renderApp(`${at}#backup`);
    expect(await screen.findByRole("heading", { level: 1, name: "Backup" })).not.toBeNull();
  });

  test("change the subdomain, or say why not", async () => {
    const api = stubApi({ ...stubs(), "POST /api/workspaces/*/subdomain": refusal("subdomain_taken") });
    const { user } = renderApp(at);
    await user.click(await screen.findByRole("button", { name: "Change subdomain" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change the subdomain?" }));
    const field = dialog.getByRole("textbox", { name: "Subdomain" });
    await user.clear(field);
    await user.type(field, "Acme-News{Enter}");
    await dialog.findByText("This subdomain is already taken.");
    api.set({ "POST /api/workspaces/*/subdomain": { success: true, subdomain: "acme-news" } });
    await user.type(field, "{Enter}");
    await screen.findByText("Subdomain changed");
    expect(api.to("POST /api/workspaces/*/subdomain").at(-1)?.body).toEqual({ subdomain: "acme-news" });
    expect(document.body.textContent).toContain("//acme-news.");
  });

  test("change origins one at a time", async () => {
    const answer = pending<void>();
    let stored = { ...acme, allowed_origins: ["https://acme.example", "https://shop.example"] };
    const api = stubApi({
      ...stubs(),
      "GET /api/widget-settings/*": { settings: {} },
      "GET /api/workspaces": () => ({ workspaces: [stored] }),
      "PATCH /api/workspaces/*": async ({ body }: { body: object }) => {
        await answer.promise;
        return { workspace: (stored = { ...stored, ...body }) };
      },
    });
    const { user } = renderApp(`/workspace/${ids.acme}/widget`);
    await screen.findByRole("button", { name: "Remove https://acme.example" }, { timeout: 5_000 });
    const remove = (site: string) => screen.getByRole<HTMLButtonElement>("button", { name: `Remove ${site}` });
    await user.type(screen.getByLabelText("Add site"), "blog.example");
    await user.click(remove("https://acme.example"));
    expect(remove("https://shop.example").disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add" }).disabled).toBe(true);
    await user.click(remove("https://shop.example"));
    await user.type(screen.getByLabelText("Add site"), "{Enter}");
    expect(api.to("PATCH /api/workspaces/*")).toHaveLength(1);
    answer.resolve();
    await waitFor(() => expect(screen.queryByText("https://acme.example")).toBeNull());
    stored = { ...stored, allowed_origins: ["https://shop.example", "https://other-tab.example"] };
    await user.click(remove("https://shop.example"));
    const left = { allowed_origins: ["https://other-tab.example"] };
    await waitFor(() => expect(api.to("PATCH /api/workspaces/*").at(-1)?.body).toEqual(left));
  });
});

describe("profile settings", () => {
  const open = async (more: object = {}) => {
    const api = stubApi({ ...signedIn(), "GET /api/workspaces/*/assistants": { assistants: [] }, ...more });
    const app = renderApp("/settings");
    await screen.findByRole("heading", { level: 1, name: "Profile settings" });
    return { ...app, api };
  };

  test("save a new password", async () => {
    const { user, api } = await open({ "PUT /api/profiles/me/password": { success: true } });
    const form = within(screen.getByLabelText("New password").closest("form")!);
    await user.type(form.getByLabelText("Current password"), "a short secret");
    await user.type(form.getByLabelText("New password"), "a longer secret{Enter}");
    await screen.findByText("Password changed");
    expect(api.to("PUT /api/profiles/me/password")[0]?.body).toEqual({ password: "a longer secret", currentPassword: "a short secret" });
    expect((screen.getByLabelText("New password") as HTMLInputElement).value).toBe("");
  });

  test("turn an email off, and on again if that fails", async () => {
    const saved = pending<Response>();
    const emails = { "GET /api/profiles/me/emails": { muted: ["review_asked"] }, "PUT /api/profiles/me/emails": () => saved.promise };
    const { user, api } = await open(emails);
    const mentions = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Someone mentions you in a comment" });
    await screen.findByRole("checkbox", { name: "A post needs your approval", checked: false });
    await user.click(mentions());
    expect(mentions().checked).toBe(false);
    expect(api.to("PUT /api/profiles/me/emails")[0]?.body).toEqual({ muted: ["mentioned", "review_asked"] });
    saved.resolve(refusal("unavailable"));
    await screen.findByText("Couldn't save your choice");
    expect(mentions().checked).toBe(true);
  });

  describe("sessions", () => {
    const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const session = (id: string, user_agent: string | null, current = false) => ({
      id,
      user_agent,
      created_at: at,
      last_used_at: at,
      current,
    });
    const here = session(ids.acme, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", true);
    const phone = session(ids.globex, "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36");
    const unnamed = session(ids.post, null);
    const list = (...sessions: object[]) => ({ "GET /api/profiles/me/sessions": { sessions } });
    const rows = () => within(screen.getByRole("list", { name: "Sessions" })).getAllByRole("listitem");

    const openList = (...sessions: object[]) => {
      stubApi({
        ...{ ...signedIn(), "GET /api/workspaces/*/assistants": { assistants: [] } },
        ...{
          "GET /api/account/factors": { factors: [], recovery_codes_left: 0, required_by: [], single_sign_on_required_by: [] },
          ...list(...sessions),
        },
      });
      return renderApp("/settings/security");
    };

    test("show the latest five, and all on request", async () => {
      const others = Array.from({ length: 6 }, (_, index) => session(`${ids.post.slice(0, -1)}${index}`, null));
      const { user } = openList(here, ...others);
      await screen.findByText("Firefox on Linux");
      expect(rows()).toHaveLength(5);
      await user.click(screen.getByRole("button", { name: "Show all 7" }));
      expect(rows()).toHaveLength(7);
      expect(document.activeElement).toBe(screen.getByRole("list", { name: "Sessions" }));
    });

    test("list devices with last use and mark this one", async () => {
      openList(here, phone, unnamed);
      await screen.findByText("Firefox on Linux");
      expect(rows().map((row) => row.textContent)).toEqual([
        "Firefox on LinuxThis device",
        "Chrome on AndroidLast used 3 hours agoSign out",
        "Unknown deviceLast used 3 hours agoSign out",
      ]);
    });
  });
});
