import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { acme, ada, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const auth = vi.hoisted(() => ({ updateUser: vi.fn() }));
vi.mock("../../lib/supabase-browser.ts", () => ({ supabaseBrowser: async () => ({ auth }) }));

const png = () => new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])], "picture.png", { type: "image/png" });
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

describe("a workspace's settings", () => {
  const open = async (role: Role = "owner", more: object = {}) => {
    const api = stubApi({ ...stubs(role), ...more });
    const app = renderApp(at);
    await screen.findByRole("heading", { level: 1, name: "Workspace settings" });
    return { ...app, api };
  };

  test.each<[Role, string[]]>([
    [
      "owner",
      [
        "General",
        "Appearance",
        "Your own domain",
        "Allowed origins",
        "Import",
        "A second person approves",
        "House style for assistants",
        "Audit log",
        "Hand over",
        "Export",
        "Backup",
        "Delete",
      ],
    ],
    [
      "admin",
      [
        "General",
        "Appearance",
        "Your own domain",
        "Allowed origins",
        "Import",
        "A second person approves",
        "House style for assistants",
        "Audit log",
        "Leave",
      ],
    ],
    ["editor", ["General", "House style for assistants", "Leave"]],
    ["viewer", ["General", "House style for assistants", "Leave"]],
  ])("%s: %j", async (role, expected) => {
    await open(role);
    await waitFor(() => expect(sections()).toEqual(expected));
    expect(screen.queryAllByRole("button", { name: "Save" })).toHaveLength(role === "owner" || role === "admin" ? 1 : 0);
  });

  test("lead to the appearance", async () => {
    await open("admin");
    const link = screen.getByRole("link", { name: "Change the appearance" });
    expect(link.getAttribute("href")).toBe(`/workspace/${ids.acme}/appearance`);
  });

  test("the name is saved and shown everywhere", async () => {
    const { user, api } = await open();
    const name = screen.getByLabelText("Business name");
    await user.clear(name);
    await user.type(name, "Acme & Sons");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Workspace saved");
    expect(api.to("PATCH /api/workspaces/*")[0]?.body).toEqual({ name: "Acme & Sons", origin: "https://acme.example" });
    expect(screen.getByRole("button", { name: "Workspace: Acme & Sons" })).toBeTruthy();
  });

  test("a logo is stored as soon as it is chosen; what the server finds wrong is said", async () => {
    const { user, api } = await open("owner", { "POST /api/workspaces/*/logo": () => refusal("file_not_image") });
    await user.upload(screen.getByLabelText("Logo"), png());
    await screen.findByText("Please select an image file");
    api.set({ "POST /api/workspaces/*/logo": { success: true, logo_url: "/storage/v1/object/public/logos/x.png" } });
    await user.upload(screen.getByLabelText("Logo"), png());
    await screen.findByText("Logo saved");
    expect(screen.getByRole("img", { name: "Logo" }).getAttribute("src")).toBe("/storage/v1/object/public/logos/x.png");
  });

  test("a logo is taken away again; a refusal is said and it stays", async () => {
    const { user, api } = await open("owner", {
      "POST /api/workspaces/*/logo": { success: true, logo_url: "/storage/v1/object/public/logos/x.png" },
      "DELETE /api/workspaces/*/logo": () => refusal("unavailable"),
    });
    expect(screen.queryByRole("button", { name: "Remove logo" })).toBeNull();
    await user.upload(screen.getByLabelText("Logo"), png());
    await user.click(await screen.findByRole("button", { name: "Remove logo" }));
    await screen.findByText("The service is starting or busy. Please try again in a moment.");
    expect(screen.getByRole("img", { name: "Logo" })).toBeTruthy();
    api.set({ "DELETE /api/workspaces/*/logo": { success: true } });
    await user.click(screen.getByRole("button", { name: "Remove logo" }));
    await screen.findByText("Logo removed");
    expect(screen.queryByRole("img", { name: "Logo" })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Logo")));
  });

  test("sites are added and removed one by one", async () => {
    const { user, api } = await open();
    await user.type(screen.getByLabelText("Add a site"), "shop.example/{Enter}");
    await waitFor(() => expect(within(screen.getByRole("list", { name: "Allowed origins" })).getAllByRole("listitem")).toHaveLength(2));
    expect(api.to("PATCH /api/workspaces/*")[0]?.body).toEqual({ allowed_origins: ["https://acme.example", "https://shop.example"] });
    await user.click(screen.getByRole("button", { name: "Remove https://acme.example" }));
    await waitFor(() => expect(screen.queryByText("https://acme.example")).toBeNull());
    await user.type(screen.getByLabelText("Add a site"), "shop{Enter}");
    await screen.findByText("Please enter the address of a site, such as https://example.com");
  });

  test("sites change one at a time, so that none comes back that was just removed", async () => {
    const answer = pending<void>();
    const { user, api } = await open("owner", {
      "GET /api/workspaces": { workspaces: [{ ...acme, allowed_origins: ["https://acme.example", "https://shop.example"] }] },
      "PATCH /api/workspaces/*": async ({ body }: { body: object }) => {
        await answer.promise;
        return { workspace: { ...acme, ...body } };
      },
    });
    const remove = (site: string) => screen.getByRole<HTMLButtonElement>("button", { name: `Remove ${site}` });
    await user.type(screen.getByLabelText("Add a site"), "blog.example");
    await user.click(remove("https://acme.example"));
    expect(remove("https://shop.example").disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add" }).disabled).toBe(true);
    await user.click(remove("https://shop.example"));
    await user.type(screen.getByLabelText("Add a site"), "{Enter}");
    expect(api.to("PATCH /api/workspaces/*")).toHaveLength(1);
    answer.resolve();
    await waitFor(() => expect(screen.queryByText("https://acme.example")).toBeNull());
    await user.click(remove("https://shop.example"));
    await waitFor(() => expect(api.to("PATCH /api/workspaces/*").at(-1)?.body).toEqual({ allowed_origins: [] }));
  });

  test("no site is removed while one is added", async () => {
    const { user } = await open("owner", { "PATCH /api/workspaces/*": () => pending().promise });
    await user.type(screen.getByLabelText("Add a site"), "shop.example{Enter}");
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Remove https/ }).disabled).toBe(true));
  });

  test("ownership goes to another member after a question", async () => {
    const { user, api } = await open("owner", { "POST /api/team/*/owner": { success: true } });
    await user.selectOptions(await screen.findByLabelText("New owner"), "Bob (bob@acme.example)");
    await user.click(screen.getByRole("button", { name: "Hand ownership over" }));
    const dialog = await screen.findByRole("dialog", { name: "Hand ownership over?" });
    await user.click(within(dialog).getByRole("button", { name: "Hand over" }));
    await screen.findByText("Ownership handed over");
    expect(api.to("POST /api/team/*/owner")[0]?.body).toEqual({ memberId: bob.user_id });
  });

  test("members that could not be read for it are asked for again", async () => {
    const { user, api } = await open("owner", { "GET /api/team/*/team": () => refusal("unavailable") });
    const section = (await screen.findByText("The members could not be read")).closest("section")!;
    api.set({ "GET /api/team/*/team": members });
    await user.click(within(section).getByRole("button", { name: "Try again" }));
    await screen.findByLabelText("New owner");
    expect(screen.queryByText("The members could not be read")).toBeNull();
  });

  test("a member leaves after a question", async () => {
    const { user, api, address } = await open("editor", { "POST /api/team/*/leave": { success: true } });
    await user.click(await screen.findByRole("button", { name: "Leave workspace" }));
    api.set({ "GET /api/workspaces": { workspaces: [] } });
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave" }));
    await screen.findByRole("heading", { name: "No workspaces yet" });
    expect(address()).toBe("/workspaces");
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBeNull();
  });

  test("deleting is possible once the name is typed", async () => {
    const { user, api, address } = await open("owner", { "DELETE /api/workspaces/*": { success: true } });
    await user.click(screen.getByRole("button", { name: "Delete workspace" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this workspace?" });
    const field = within(dialog).getByLabelText("Type the name of the workspace");
    const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Delete workspace" });
    expect(button.disabled).toBe(true);
    await user.type(field, "acme{Enter}");
    await user.tab();
    await within(dialog).findByText("Please type Acme");
    expect(button.disabled).toBe(true);
    expect(api.to("DELETE /api/workspaces/*")).toEqual([]);
    await user.clear(field);
    api.set({ "GET /api/workspaces": { workspaces: [] } });
    await user.type(field, "Acme");
    expect(button.disabled).toBe(false);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(address()).toBe("/workspaces"));
    expect(api.to("DELETE /api/workspaces/*")[0]?.body).toEqual({ name: "Acme" });
  });

  test("the delete dialog can be cancelled and exports the workspace first", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:made", revokeObjectURL: () => {} }));
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const headers = { "content-disposition": 'attachment; filename="acme.json"' };
    const { user, api } = await open("owner", { "GET /api/workspaces/*/export": () => new Response("{}", { headers }) });
    await user.click(screen.getByRole("button", { name: "Delete workspace" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this workspace?" });
    await user.click(within(dialog).getByRole("button", { name: "Export workspace" }));
    await waitFor(() => expect(api.to("GET /api/workspaces/*/export")).toHaveLength(1));
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(api.to("DELETE /api/workspaces/*")).toEqual([]);
  });
});

describe("one's own settings", () => {
  beforeEach(() => void auth.updateUser.mockReset().mockResolvedValue({ error: null }));
  const open = async (more: object = {}) => {
    const api = stubApi({ ...signedIn(), "GET /api/workspaces/*/assistants": { assistants: [] }, ...more });
    const app = renderApp("/settings");
    await screen.findByRole("heading", { level: 1, name: "Profile settings" });
    return { ...app, api };
  };

  test("the name is saved and shown", async () => {
    const { user, api } = await open({ "PATCH /api/profiles/me": { success: true, profile: { ...ada, full_name: "Countess Lovelace" } } });
    await user.clear(screen.getByLabelText("Full name"));
    await user.type(screen.getByLabelText("Full name"), "Countess Lovelace");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Profile saved");
    expect(api.to("PATCH /api/profiles/me")[0]?.body).toEqual({ fullName: "Countess Lovelace" });
    expect(screen.getByRole("button", { name: "My Account: Countess Lovelace" })).toBeTruthy();
  });

  test("a job title is optional: emptied, it is gone", async () => {
    const { user, api } = await open({
      "GET /api/profiles/me": { success: true, profile: { ...ada, job_title: "Countess" } },
      "PATCH /api/profiles/me": { success: true, profile: ada },
    });
    await user.clear(screen.getByLabelText(/Job title/));
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Profile saved");
    expect(api.to("PATCH /api/profiles/me")[0]?.body).toEqual({ fullName: "Ada Lovelace", jobTitle: null });
    expect(screen.getByLabelText<HTMLInputElement>(/Job title/).value).toBe("");
  });

  test("an avatar over 2 MB is not sent", async () => {
    const { user, api } = await open();
    const large = new File([new Uint8Array(2_097_153)], "large.png", { type: "image/png" });
    await user.upload(screen.getByLabelText("Avatar"), large);
    await screen.findByText("Avatar file size must be less than 2MB");
    expect(api.to("POST /api/profiles/me/avatar")).toEqual([]);
  });

  test("an avatar is taken away again", async () => {
    const profile = { ...ada, avatar_url: "/storage/v1/object/public/avatars/x.png" };
    const { user } = await open({
      "GET /api/profiles/me": { success: true, profile },
      "DELETE /api/profiles/me/avatar": { success: true },
    });
    await user.click(screen.getByRole("button", { name: "Remove avatar" }));
    await screen.findByText("Avatar removed");
    expect(screen.queryByRole("img", { name: "Avatar" })).toBeNull();
  });

  test("another address is asked for by mail, with the current password", async () => {
    const { user, api } = await open({ "POST /api/profiles/me/email": { success: true } });
    await user.type(screen.getByLabelText("New email address"), "new@acme.example{Enter}");
    await screen.findByText("Password is required");
    await user.type(screen.getByLabelText("Current password"), "my secret{Enter}");
    await screen.findByText("new@acme.example");
    expect(api.to("POST /api/profiles/me/email").map(({ body }) => body)).toEqual([{ email: "new@acme.example", password: "my secret" }]);
    expect(screen.getByLabelText<HTMLInputElement>("Current password").value).toBe("");
  });

  test("a new password", async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText("New password"), "a longer secret{Enter}");
    await screen.findByText("Your password was changed");
    expect(auth.updateUser).toHaveBeenCalledWith({ password: "a longer secret" });
    expect((screen.getByLabelText("New password") as HTMLInputElement).value).toBe("");
  });

  describe("what the auth service refuses", () => {
    const refuse = (status: number | undefined, code: string | undefined, message: string) =>
      auth.updateUser.mockResolvedValue({ error: Object.assign(new Error(message), { status, code }) });
    const same = "New password should be different from the old password.";

    test.each<[string, number | undefined, string | undefined, string, string]>([
      ["the old password again: its sentence", 422, "same_password", same, same],
      ["too often", 429, "over_request_rate_limit", "Request rate limit reached", "Too many attempts. Please wait a moment and try again."],
      ["no session", 400, undefined, "Auth session missing!", "Please sign in to continue."],
      ["no answer", 0, undefined, "Failed to fetch", "The service is starting or busy. Please try again in a moment."],
    ])("%s", async (_, status, code, message, sentence) => {
      refuse(status, code, message);
      const { user } = await open();
      await user.type(screen.getByLabelText("New password"), "a longer secret{Enter}");
      await screen.findByText(sentence);
      expect(screen.queryByText("Your password was changed")).toBeNull();
    });
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

    test("are listed by device and last use, this one marked", async () => {
      await open(list(here, phone, unnamed));
      await screen.findByText("Firefox on Linux");
      expect(rows().map((row) => row.textContent)).toEqual([
        "Firefox on LinuxThis device",
        "Chrome on AndroidLast used 3 hours agoSign out",
        "Unknown deviceLast used 3 hours agoSign out",
      ]);
    });

    test("end one by one", async () => {
      const { user, api } = await open({ ...list(here, phone), "DELETE /api/profiles/me/sessions/*": { success: true } });
      const button = await screen.findByRole("button", { name: "Sign out Chrome on Android" });
      api.set(list(here));
      await user.click(button);
      await screen.findByText("The device is signed out");
      expect(api.to("DELETE /api/profiles/me/sessions/*").map(({ path }) => path)).toEqual([`/api/profiles/me/sessions/${ids.globex}`]);
      expect(rows()).toHaveLength(1);
      expect(document.activeElement).toBe(screen.getByRole("list", { name: "Sessions" }));
      expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).toBeNull();
    });

    test("end all but this one", async () => {
      const { user, api } = await open({ ...list(here, phone, unnamed), "DELETE /api/profiles/me/sessions": { success: true } });
      const button = await screen.findByRole("button", { name: "Sign out everywhere else" });
      api.set(list(here));
      await user.click(button);
      await screen.findByText("Signed out everywhere else");
      expect(api.to("DELETE /api/profiles/me/sessions")).toHaveLength(1);
      expect(rows()).toHaveLength(1);
    });

    test("stay when ending them fails, and say so; when they cannot be read, they can be asked for again", async () => {
      const { user, api } = await open({ "GET /api/profiles/me/sessions": () => refusal("unavailable") });
      const retry = await screen.findByRole("button", { name: "Try again" });
      api.set({ ...list(here, phone), "DELETE /api/profiles/me/sessions": () => refusal("unavailable") });
      await user.click(retry);
      await user.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
      await screen.findByText("Sign out failed");
      expect(rows()).toHaveLength(2);
    });
  });

  test("light, dark, system: at once and for the next visit", async () => {
    const { user } = await open();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "System" }).checked).toBe(true);
    await user.click(screen.getByRole("radio", { name: "Dark" }));
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(localStorage.getItem("tc:theme")).toBe("dark");
    await user.click(screen.getByRole("radio", { name: "System" }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });

  test("the question about cookies can be opened again", async () => {
    document.cookie = "tc-consent=deny; path=/";
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Cookie settings" }));
    await screen.findByRole("region", { name: "Cookie consent" });
  });
});
