import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Role } from "#contract/limits.ts";
import { acme, ada, ids, signedIn } from "./fixtures.ts";
import { renderApp } from "./render-app.tsx";
import { refusal, stubApi } from "./stub-api.ts";

const auth = vi.hoisted(() => ({ updateUser: vi.fn(), signOut: vi.fn() }));
vi.mock("../../web/lib/supabase-browser.ts", () => ({ supabaseBrowser: async () => ({ auth }) }));

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
    ["owner", ["General", "Allowed origins", "Hand over", "Delete"]],
    ["admin", ["General", "Allowed origins", "Leave"]],
    ["editor", ["General", "Leave"]],
    ["viewer", ["General", "Leave"]],
  ])("%s: %j", async (role, expected) => {
    await open(role);
    await waitFor(() => expect(sections()).toEqual(expected));
    expect(screen.queryAllByRole("button", { name: "Save" })).toHaveLength(role === "owner" || role === "admin" ? 1 : 0);
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

  test("sites are added and removed one by one", async () => {
    const { user, api } = await open();
    await user.type(screen.getByLabelText("Add a site"), "https://shop.example/{Enter}");
    await waitFor(() => expect(within(screen.getByRole("list", { name: "Allowed origins" })).getAllByRole("listitem")).toHaveLength(2));
    expect(api.to("PATCH /api/workspaces/*")[0]?.body).toEqual({ allowed_origins: ["https://acme.example", "https://shop.example"] });
    await user.click(screen.getByRole("button", { name: "Remove https://acme.example" }));
    await waitFor(() => expect(screen.queryByText("https://acme.example")).toBeNull());
    await user.type(screen.getByLabelText("Add a site"), "shop{Enter}");
    await screen.findByText("Please enter the address of a site, such as https://example.com");
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

  test("a member leaves after a question", async () => {
    const { user, api, address } = await open("editor", { "POST /api/team/*/leave": { success: true } });
    await user.click(await screen.findByRole("button", { name: "Leave workspace" }));
    api.set({ "GET /api/workspaces": { workspaces: [] } });
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave" }));
    await screen.findByRole("heading", { name: "No workspaces yet" });
    expect(address()).toBe("/workspaces");
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBeNull();
  });

  test("deleting wants the name typed", async () => {
    const { user, api, address } = await open("owner", { "DELETE /api/workspaces/*": { success: true } });
    await user.click(screen.getByRole("button", { name: "Delete workspace" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this workspace?" });
    const field = within(dialog).getByLabelText("Type the name of the workspace");
    await user.type(field, "acme{Enter}");
    await within(dialog).findByText("Please type Acme");
    expect(api.to("DELETE /api/workspaces/*")).toEqual([]);
    await user.clear(field);
    api.set({ "GET /api/workspaces": { workspaces: [] } });
    await user.type(field, "Acme{Enter}");
    await waitFor(() => expect(address()).toBe("/workspaces"));
    expect(api.to("DELETE /api/workspaces/*")[0]?.body).toEqual({ name: "Acme" });
  });
});

describe("one's own settings", () => {
  beforeEach(() => {
    auth.updateUser.mockReset().mockResolvedValue({ error: null });
    auth.signOut.mockReset().mockResolvedValue({ error: null });
  });
  const open = async (more: object = {}) => {
    const api = stubApi({ ...signedIn(), ...more });
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

  test("an avatar over 2 MB is not sent", async () => {
    const { user, api } = await open();
    const large = new File([new Uint8Array(2_097_153)], "large.png", { type: "image/png" });
    await user.upload(screen.getByLabelText("Avatar"), large);
    await screen.findByText("Avatar file size must be less than 2MB");
    expect(api.to("POST /api/profiles/me/avatar")).toEqual([]);
  });

  test("another address is asked for by mail", async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText("New e-mail address"), "new@acme.example{Enter}");
    await screen.findByText("new@acme.example");
    expect(auth.updateUser).toHaveBeenCalledWith({ email: "new@acme.example" });
  });

  test("a new password", async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText("New password"), "a longer secret{Enter}");
    await screen.findByText("Your password was changed");
    expect(auth.updateUser).toHaveBeenCalledWith({ password: "a longer secret" });
    expect((screen.getByLabelText("New password") as HTMLInputElement).value).toBe("");
  });

  test("all other sessions end", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Sign out everywhere else" }));
    await screen.findByText("Signed out everywhere else");
    expect(auth.signOut).toHaveBeenCalledWith({ scope: "others" });
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
