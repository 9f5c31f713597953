import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import type { MonthNumbers } from "#contract/reports.ts";
import { xssPayloads } from "../../../tests/support/xss-payloads.ts";
import type { Delivery } from "./mails.ts";
import { questionMail, reportMail } from "./report-mail.ts";

const publicUrl = "https://tidings.example";
const token = "T".repeat(48);
const own = `${publicUrl}/reports/${token}`;

const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  ...{ id: "11111111-1111-4111-8111-111111111111", kind: "report", attempt: 1, workspace_id: "22222222-2222-4222-8222-222222222222" },
  ...{ workspace_name: "Acme", subdomain: "acme", logo_url: null as unknown as string, sender_name: null as unknown as string },
  ...{ reply_to: null as unknown as string, email: "ana@acme.example", token, posts: [], month: "2026-01-01" },
  ...{ appearance: null, domain: null as unknown as string, about: null as unknown as string, told: null },
  ...fields,
});
const none = { views: 0, readers: 0, widget_opens: 0, clicks: 0, subscribed: 0, left: 0, mails_sent: 0 };
const month = (fields: Partial<MonthNumbers> = {}): MonthNumbers => ({
  open: true,
  analytics: true,
  totals: { ...none, views: 1_234, readers: 987, subscribed: 1, mails_sent: 40 },
  previous: { ...none, views: 1_000, readers: 987, left: 2 },
  published: 2,
  posts: [
    { title: "Dark mode", slug: "dark-mode", views: 1_000 },
    { title: "Faster search", slug: "faster-search", views: 1 },
  ],
  most_read: [{ title: "Dark mode", slug: "dark-mode", views: 1_000 }],
  referrers: [{ name: "news.example", count: 12 }],
  searches: [{ name: "export to pdf", count: 1 }],
  ...fields,
});
const parser = new new JSDOM("").window.DOMParser();
const documentOf = (html: string): Document => parser.parseFromString(html, "text/html");

test("states the numbers and compares them in plain words", () => {
  const { subject, text, to, from } = reportMail(delivery(), month(), publicUrl);
  expect([to, from, subject]).toEqual(["ana@acme.example", undefined, "Acme in January 2026: 2 posts, 1,234 views"]);
  expect(text).toBe(`January 2026

What Acme published, who read it and how it changed.

Views: 1,234 (23% more than in December)
Readers per day, total: 987 (as many as in December)
Emails sent to subscribers: 40
New subscribers: 1
Unsubscribed: 0 (2 in December)

Published
- Dark mode: https://acme.tidings.example/releases/dark-mode (1,000 views)
- Faster search: https://acme.tidings.example/releases/faster-search (1 view)

Most read
- Dark mode: https://acme.tidings.example/releases/dark-mode (1,000 views)

Top referrers
- news.\u200bexample (12 visits)

Searches without results
- export to pdf (1 search)

View analytics: https://tidings.example/workspace/22222222-2222-4222-8222-222222222222/analytics

--
You get this email because you own Acme or were added to its monthly report. Days are in UTC. A reader on two days counts twice.
Stop these reports: ${own}
`);
});

describe("headers", () => {
  test("support one-click unsubscribe by POST", () => {
    expect(reportMail(delivery(), month(), publicUrl).headers).toEqual({
      "Message-ID": "<11111111-1111-4111-8111-111111111111@tidings.example>",
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${publicUrl}/api/reports/${token}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": "<reports.acme.tidings.example>",
      Precedence: "bulk",
      "Feedback-ID": "report:22222222-2222-4222-8222-222222222222:tidings",
    });
  });

  test("are omitted for a requested report", () => {
    const { headers, html, text } = reportMail({ ...delivery(), token: null }, month(), publicUrl);
    expect(Object.keys(headers!)).toEqual(["Message-ID", "Auto-Submitted"]);
    for (const body of [html, text]) {
      expect(body).not.toContain("Stop these reports");
      expect(body).toContain("You requested this report just now.");
    }
  });

  test("are omitted for a confirmation, which links to its page", () => {
    const { headers, html, text, subject } = questionMail(delivery({ kind: "report_question" }), publicUrl);
    expect(Object.keys(headers!)).toEqual(["Message-ID", "Auto-Submitted"]);
    expect(subject).toBe("Please confirm: the monthly report of Acme");
    expect(text).toContain(`Confirm: ${own}\n`);
    expect([...documentOf(html).querySelectorAll(".m-card a")].map((link) => link.getAttribute("href"))).toEqual([own]);
  });

  test("never contain line breaks", () => {
    const evil = 'A"\r\nBcc: all@evil.example\r\n\r\n\u0000\u2028<b>\u202e\\';
    const all = [
      reportMail(delivery({ workspace_name: evil }), month({ posts: [{ title: evil, slug: "s", views: 1 }] }), publicUrl),
      questionMail(delivery({ workspace_name: evil }), publicUrl),
    ];
    for (const { subject, headers } of all) {
      for (const value of [subject, ...Object.values(headers!)]) expect(value).not.toMatch(/[\p{Cc}\u2028]/u);
    }
  });
});

describe("a month", () => {
  test("without posts, searches and referrers has no headings for them", () => {
    const empty = month({ published: 0, posts: [], most_read: [], referrers: [], searches: [], totals: none, previous: none });
    const { html, text } = reportMail(delivery(), empty, publicUrl);
    expect(documentOf(html).querySelectorAll("h2")).toHaveLength(0);
    expect(text).toContain("\n\nViews: 0\n\nView analytics");
  });

  test("for a closed page has no links to posts", () => {
    const { html, text } = reportMail(delivery(), month({ open: false }), publicUrl);
    expect(html + text).not.toContain("acme.tidings.example/releases");
    expect(text).toContain("- Dark mode (1,000 views)\n");
  });
});

test.each(xssPayloads)("user text can't inject markup: %j", (payload) => {
  const posts = [{ title: payload, slug: "trap", views: 3 }];
  const names = [{ name: payload, count: 1 }];
  const mails = [
    reportMail(
      delivery({ workspace_name: payload, logo_url: `/storage/v1/object/public/logos/${encodeURIComponent(payload)}` }),
      month({ posts, most_read: posts, referrers: names, searches: names }),
      publicUrl,
    ),
    questionMail(delivery({ workspace_name: payload }), publicUrl),
  ];
  for (const { html } of mails) {
    const page = documentOf(html);
    expect([...page.body.children].map(({ localName }) => localName)).toEqual(["div", "table"]);
    const known = [
      "a",
      "body",
      "br",
      "div",
      "h1",
      "h2",
      "head",
      "html",
      "img",
      "meta",
      "p",
      "span",
      "style",
      "table",
      "tbody",
      "td",
      "title",
      "tr",
    ];
    for (const { localName, attributes } of page.getElementsByTagName("*")) {
      expect(known).toContain(localName);
      for (const { name, value } of attributes) {
        expect(name).not.toMatch(/^on|^srcdoc$|^http-equiv$/);
        if (name === "href") expect(value).toMatch(/^https:\/\/(acme\.)?tidings\.example(\/|$)/);
        if (name === "src") expect(value).toMatch(/^https:\/\/acme\.tidings\.example\/storage\//);
      }
    }
  }
});
