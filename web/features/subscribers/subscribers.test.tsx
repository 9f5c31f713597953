import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import type { ShownMailSettings, Subscriber, SubscriberNumbers } from "#contract/subscribers.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/subscribers`;
const day = "2026-01-05T09:00:00.000Z";

const ada: Subscriber = {
  id: "99999999-9999-4999-8999-999999999991",
  email: "ada@reader.example",
  status: "active",
  frequency: "weekly",
  tags: ["fix", "beta"],
  created_at: day,
  confirmed_at: day,
};
const bob: Subscriber = { ...ada, id: "99999999-9999-4999-8999-999999999992", email: "bob@reader.example", status: "pending", tags: [] };
const page = (subscribers: Subscriber[], total = subscribers.length, number = 1) => ({
  subscribers,
  pagination: { page: number, pages: Math.max(1, Math.ceil(total / 50)), total },
});
const numbers: SubscriberNumbers = {
  ...{ active: 1204, pending: 3, paused: 1, left: 9, suppressed: 1, instant: 1000, daily: 200, weekly: 4, everything: 1100 },
  tags: [{ key: "beta", readers: 104 }],
  weeks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1200],
};
const settings: ShownMailSettings = {
  ...{ enabled: true, undo_minutes: 5, sender_name: null, reply_to: null, time_zone: "UTC" },
  ...{ held_at: null, held_reason: null },
};
const tags = {
  tags: [
    { key: "fix", label: "Fix", colour: "orange" },
    { key: "beta", label: "Beta programme", colour: "blue" },
  ],
  carried: [],
  former: {},
};

const stubs = (role: Role = "owner", more: object = {}) => ({
  ...signedIn([{ ...acme, role, public_changelog_enabled: true }]),
  "GET /api/workspaces/*/subscribers": page([ada, bob]),
  "GET /api/workspaces/*/subscribers/numbers": { numbers },
  "GET /api/workspaces/*/mail-settings": { settings },
  "GET /api/workspaces/*/tags": tags,
  ...more,
});
const table = () => screen.findByRole("table", { name: "Subscribers" });
const queries = (api: ReturnType<typeof stubApi>) =>
  api.to(`GET /api/workspaces/${ids.acme}/subscribers`).map(({ path }) => new URLSearchParams(path.split("?")[1]));

describe("email on hold", () => {
  test.each([
    ["owner", "bounces", "too many recent emails bounced"],
    ["viewer", "complaints", "too many readers marked its emails as spam"],
  ] as const)("says so to the %s, and why: %s", async (role, held_reason, words) => {
    stubApi(stubs(role, { "GET /api/workspaces/*/mail-settings": { settings: { ...settings, held_at: day, held_reason } } }));
    renderApp(address);
    const notice = (await screen.findByText("Emails from this workspace are on hold")).closest<HTMLElement>("[role=alert]")!;
    expect(notice.textContent).toContain(words);
    expect(notice.textContent).toContain("Queued emails aren't lost.");
  });
});

describe("subscriber counts", () => {
  test("show totals, growth as a table, and topics", async () => {
    stubApi(stubs());
    renderApp(address);
    const section = await screen.findByRole("region", { name: "Numbers" });
    expect(section.textContent).toContain((1204).toLocaleString());
    const weeks = within(section).getByRole("table", { name: "New subscribers by week" });
    expect(within(weeks).getAllByRole("row")).toHaveLength(13);
    expect(within(weeks).getAllByRole("cell").at(-1)!.textContent).toBe((1200).toLocaleString());
    await waitFor(() => expect(section.textContent).toContain("Beta programme104"));
  });
});

describe("the list", () => {
  test("is narrowed by the server, in one call once the typing rests, and comes in pages", async () => {
    const answer = ({ path }: { path: string }) => (path.includes("q=ada") ? page([ada], 1) : page([ada, bob], 120));
    const api = stubApi(stubs("owner", { "GET /api/workspaces/*/subscribers": answer }));
    const { user } = renderApp(address);
    await table();
    expect(screen.getByText("1–50 of 120")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(queries(api).at(-1)!.get("page")).toBe("2"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Subscribed");
    await user.selectOptions(screen.getByRole("combobox", { name: "Frequency" }), "Once a day");
    await user.selectOptions(screen.getByRole("combobox", { name: "Topic" }), "Chose Beta programme");
    await waitFor(() => expect(queries(api).at(-1)!.get("tag")).toBe("beta"));
    const before = queries(api).length;
    const search = screen.getByRole("searchbox", { name: "Search by email" });
    for (const value of ["a", "ad", "ada"]) fireEvent.change(search, { target: { value } }); // faster than the debounce
    const asked = { status: "active", frequency: "daily", tag: "beta", q: "ada", page: "1" };
    await waitFor(() => expect(Object.fromEntries(queries(api).at(-1)!)).toEqual(asked));
    expect(queries(api).length - before).toBe(1);
    await waitFor(() => expect(screen.queryByText("1–50 of 120")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await screen.findByText("1–50 of 120"); // possibly cached
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
  });
});

const emailSettings = `/workspace/${ids.acme}/settings/email`;

describe("email settings", () => {
  test("save the time zone, show server errors at their field, and keep the input", async () => {
    const api = stubApi(
      stubs("owner", {
        "PUT /api/workspaces/*/mail-settings": () => refusal("validation_failed", { reply_to: "This address is not yours" }),
      }),
    );
    const { user } = renderApp(emailSettings);
    await user.type(await screen.findByLabelText(/Sender name/), "Acme News");
    await user.type(screen.getByLabelText(/Reply-to address/), "hello@acme.example");
    await user.selectOptions(screen.getByLabelText("Digest time zone"), "Europe/Berlin");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("This address is not yours");
    expect(screen.getByLabelText<HTMLInputElement>(/Sender name/).value).toBe("Acme News");
    const saved = { ...settings, sender_name: "Acme News", reply_to: "hello@acme.example", time_zone: "Europe/Berlin" };
    api.set({ "PUT /api/workspaces/*/mail-settings": { success: true, settings: saved } });
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Settings saved");
    expect(api.to("PUT /api/workspaces/*/mail-settings").at(-1)!.body).toEqual({
      sender_name: "Acme News",
      reply_to: "hello@acme.example",
      undo_minutes: 5,
      time_zone: "Europe/Berlin",
    });
  });
});

describe("deliverability check", () => {
  const record = (kind: string, state: string, text: string) => ({ kind, state, name: "acme.example", value: null, text });

  test("shows the status of each record with a reason", async () => {
    const check = {
      domain: "acme.example",
      records: [
        record("SPF", "found", "Fine."),
        record("DKIM", "unknown", "It could not be looked up."),
        record("DMARC", "missing", "Add it."),
      ],
    };
    stubApi(stubs("owner", { "GET /api/workspaces/*/mail-check": check }));
    const { user } = renderApp(emailSettings);
    await user.click(await screen.findByRole("button", { name: "Check domain" }));
    const [spf, dkim, dmarc] = (await screen.findAllByRole("listitem")).filter(({ textContent }) =>
      /^(SPF|DKIM|DMARC)/.test(textContent ?? ""),
    );
    expect([spf!.textContent, dkim!.textContent, dmarc!.textContent]).toEqual([
      "SPFFoundFine.acme.example",
      "DKIMUnknownIt could not be looked up.acme.example",
      "DMARCMissingAdd it.acme.example",
    ]);
  });
});
