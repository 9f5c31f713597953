import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Domain } from "#contract/domains.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const domain = (fields: Partial<Domain> = {}): Domain => ({
  host: "changelog.acme.example",
  shown: "changelog.acme.example",
  state: "dns",
  records: [
    { type: "TXT", name: "_tidings.changelog.acme.example", value: "0123456789abcdef", found: [], ok: false },
    { type: "CNAME", name: "changelog.acme.example", value: "acme.tidings.example", found: [], ok: false },
  ],
  problem: null,
  checked_at: null,
  live_at: null,
  grace_until: null,
  created_at: "2026-11-20T09:00:00+00:00",
  ...fields,
});
const right = (of: Domain): Domain["records"] => of.records.map((record) => ({ ...record, ok: true, found: [record.value] }));

let present: Domain[];
beforeEach(() => {
  present = [];
});

async function open({ role = "owner", has = true, more = {} }: { role?: Role; has?: boolean; more?: object } = {}) {
  const api = stubApi({
    ...signedIn([{ ...acme, role }]),
    "GET /api/team/*/team": { members: [] },
    "GET /api/workspaces/*/add-ons": {
      add_ons: has ? [{ add_on: "custom-domain", granted_at: "2026-01-05T09:00:00+00:00" }] : [],
      requested: [],
    },
    "GET /api/workspaces/*/domains": () => ({ domains: present }),
    "POST /api/workspaces/*/domains": ({ body }: Asked) => {
      present = [...present, domain({ host: (body as { host: string }).host, shown: (body as { host: string }).host })];
      return { domain: present.at(-1) };
    },
    ...more,
  });
  const app = renderApp(`/workspace/${ids.acme}/settings`);
  const section = within(await screen.findByRole("region", { name: "Your own domain" }));
  return { ...app, api, section };
}

describe("a workspace's own names", () => {
  test("are entered, and their records can be copied", async () => {
    const { user, section } = await open();
    const field = await section.findByRole("textbox", { name: "Name" });
    await user.click(section.getByRole("button", { name: "Add" }));
    expect(await section.findByText("Please enter a name such as changelog.example.com")).toBeTruthy();
    await user.type(field, "changelog.acme.example");
    await user.click(section.getByRole("button", { name: "Add" }));
    const card = within(await section.findByRole("listitem", { name: "changelog.acme.example" }));
    expect(card.getByText("Waiting for DNS")).toBeTruthy();
    expect(card.getByText("0123456789abcdef")).toBeTruthy();
    expect(card.queryByText("Not right yet")).toBeNull(); // nobody has looked
    const written: string[] = [];
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void written.push(text));
    for (const what of ["name of the TXT", "value of the TXT", "name of the CNAME", "value of the CNAME"])
      await user.click(card.getByRole("button", { name: `Copy the ${what} record` }));
    expect(written).toEqual(domain().records.flatMap(({ name, value }) => [name, value]));
    expect(await section.findByRole("textbox", { name: "Another name" })).toBeTruthy();
  });

  test("that are refused say so at the field, and what was typed stays", async () => {
    const refused = refusal("domain_taken", { host: "Another workspace uses this name already." });
    const { user, section } = await open({ more: { "POST /api/workspaces/*/domains": refused } });
    const field = await section.findByRole("textbox", { name: "Name" });
    await user.type(field, "changelog.acme.example");
    await user.click(section.getByRole("button", { name: "Add" }));
    expect(await section.findByText("Another workspace uses this name already.")).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe("changelog.acme.example");
  });

  test("are looked up now, and what is missing is said", async () => {
    present = [domain()];
    const looked = [
      domain({ checked_at: "2026-11-20T09:05:00+00:00", problem: "There is no TXT record at _tidings.changelog.acme.example yet." }),
      domain({ state: "live", live_at: "2026-11-20T09:06:00+00:00", checked_at: "2026-11-20T09:06:00+00:00", records: right(domain()) }),
    ];
    const { user, section } = await open({ more: { "POST /api/workspaces/*/domains/*/check": () => ({ domain: looked.shift() }) } });
    const now = await section.findByRole("button", { name: "Check now" });
    await user.click(now);
    expect(await section.findByText("There is no TXT record at _tidings.changelog.acme.example yet.")).toBeTruthy();
    expect(section.getAllByText("Not right yet")).toHaveLength(2);
    await user.click(now);
    expect(await section.findByText("Live")).toBeTruthy();
    expect(section.getAllByText("Found")).toHaveLength(2);
    expect(section.getByRole("link", { name: "changelog.acme.example" }).getAttribute("href")).toBe("https://changelog.acme.example/");
  });

  test.each<[Partial<Domain>, RegExp]>([
    [{ state: "certificate" }, /The records are right\. Readers are led to .* as soon as its first page comes by https/],
    [{ state: "lost", grace_until: "2999-01-01T09:00:00+00:00" }, /Until .*2999.* readers are still sent to it/],
    [{ state: "lost", grace_until: "2020-01-01T09:00:00+00:00" }, /nobody is sent to it/],
  ])("say what their state means: %j", async (fields, sentence) => {
    present = [domain(fields)];
    const { section } = await open();
    expect(await section.findByText(sentence)).toBeTruthy();
  });

  test("of another script are shown as they are written, with what the DNS calls them", async () => {
    present = [domain({ host: "xn--mnchen-3ya.example", shown: "münchen.example" })];
    const { section } = await open();
    expect(await section.findByRole("heading", { name: "münchen.example" })).toBeTruthy();
    expect(section.getByText("xn--mnchen-3ya.example")).toBeTruthy();
  });

  test("are removed after a question", async () => {
    present = [domain({ state: "live" })];
    const remove = vi.fn(() => {
      present = [];
      return { success: true };
    });
    const { user, section } = await open({ more: { "DELETE /api/workspaces/*/domains/*": remove } });
    await user.click(await section.findByRole("button", { name: "Remove changelog.acme.example" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Remove changelog.acme.example?" }));
    expect(dialog.getByText(/Links to it stop working at once/)).toBeTruthy();
    expect(remove).not.toHaveBeenCalled();
    await user.click(dialog.getByRole("button", { name: "Remove" }));
    await waitFor(() => expect(section.queryByRole("listitem", { name: "changelog.acme.example" })).toBeNull());
  });

  test("are three at most", async () => {
    present = ["a", "b", "c"].map((name) => domain({ host: `${name}.example`, shown: `${name}.example` }));
    const { section } = await open();
    expect(await section.findByText(/can have 3 names of its own/)).toBeTruthy();
    expect(section.queryByRole("textbox")).toBeNull();
  });

  test("need the add-on: the owner is led to it, an admin is told who can add it", async () => {
    const { section } = await open({ has: false });
    const link = await section.findByRole("link", { name: "Get Custom domain" });
    expect(link.getAttribute("href")).toBe(`/upgrade?workspace=${ids.acme}&add-ons=custom-domain`);
  });

  test("need the add-on: an admin is told who can add it", async () => {
    const { section } = await open({ has: false, role: "admin" });
    expect(await section.findByText(/The owner of this workspace can add it/)).toBeTruthy();
    expect(section.queryByRole("link", { name: "Get Custom domain" })).toBeNull();
  });

  test("that cannot be read are asked for again", async () => {
    let fails = true;
    const { user, section } = await open({
      more: {
        "GET /api/workspaces/*/domains": () => (fails ? refusal("internal") : { domains: [] }),
      },
    });
    const again = await section.findByRole("button", { name: "Try again" });
    fails = false;
    await user.click(again);
    expect(await section.findByRole("textbox", { name: "Name" })).toBeTruthy();
  });
});
