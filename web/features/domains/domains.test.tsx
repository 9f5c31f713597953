import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
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
      included: true,
    },
    "GET /api/workspaces/*/domains": () => ({ domains: present }),
    "POST /api/workspaces/*/domains": ({ body }: Asked) => {
      present = [...present, domain({ host: (body as { host: string }).host, shown: (body as { host: string }).host })];
      return { domain: present.at(-1) };
    },
    ...more,
  });
  const app = renderApp(`/workspace/${ids.acme}/settings/domain`);
  const section = within(await screen.findByRole("region", { name: "Custom domain" }));
  return { ...app, api, section };
}

describe("a workspace's own names", () => {
  test("that are refused say so at the field, and what was typed stays", async () => {
    const refused = refusal("domain_taken", { host: "Another workspace already uses this domain." });
    const { user, section } = await open({ more: { "POST /api/workspaces/*/domains": refused } });
    const field = await section.findByRole("textbox", { name: "Domain" });
    await user.type(field, "changelog.acme.example");
    await user.click(section.getByRole("button", { name: "Add" }));
    expect(await section.findByText("Another workspace already uses this domain.")).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe("changelog.acme.example");
  });

  test.each<[Partial<Domain>, RegExp]>([
    [{ state: "certificate" }, /Your page redirects to .* as soon as its certificate is ready/],
    [{ state: "lost", grace_until: "2999-01-01T09:00:00+00:00" }, /Until .*2999.* it keeps working/],
    [{ state: "lost", grace_until: "2020-01-01T09:00:00+00:00" }, /your page no longer redirects to it/],
  ])("explain their state: %j", async (fields, sentence) => {
    present = [domain(fields)];
    const { section } = await open();
    expect(await section.findByText(sentence)).toBeTruthy();
  });

  test("show internationalized names in Unicode and in DNS form", async () => {
    present = [domain({ host: "xn--mnchen-3ya.example", shown: "münchen.example" })];
    const { section } = await open();
    expect(await section.findByRole("heading", { name: "münchen.example" })).toBeTruthy();
    expect(section.getByText("xn--mnchen-3ya.example")).toBeTruthy();
  });
});
