import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { locales } from "#contract/locales.ts";
import { languageIn } from "#contract/i18n/index.ts";
import { xssPayloads } from "../../../tests/support/xss-payloads.ts";
import { type Delivery, mailOf, type MailedPost, renderPost, type RenderedPost, voiceOf } from "./mails.ts";

const publicUrl = "https://tidings.example";
const origin = "https://acme.tidings.example";
const sending = { publicUrl, from: "Tidings <news@tidings.example>" };
const token = "T".repeat(48);
const own = `${publicUrl}/releases/subscription/${token}`;

const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  id: "11111111-1111-4111-8111-111111111111",
  kind: "post",

  workspace_id: "22222222-2222-4222-8222-222222222222",
  workspace_name: "Acme",
  subdomain: "acme",
  logo_url: null as unknown as string,
  sender_name: null as unknown as string,
  reply_to: null as unknown as string,
  email: "ana@reader.example",
  token,
  posts: ["p"],
  month: null as unknown as string,
  appearance: null,
  domain: null as unknown as string,
  about: null as unknown as string,
  told: null,
  ...fields,
});

const post = (fields: Partial<MailedPost> = {}): MailedPost => ({
  id: "p",
  slug: "dark-mode",
  title: "Dark mode",
  excerpt: "You can now switch.",
  tags: [],
  content_raw: { blocks: [{ type: "paragraph", data: { text: "You can now <b>switch</b>." } }] },
  author_name: "Ada Lovelace",
  published_at: "2026-03-10T10:00:00Z",
  version: 1,
  details: {},
  images: null,
  ...fields,
});

const told = (fields: Partial<MailedPost> = {}): Promise<RenderedPost> => renderPost(post(fields), origin, voiceOf({ appearance: null }));
const parser = new new JSDOM("").window.DOMParser();
const documentOf = (html: string): Document => parser.parseFromString(html, "text/html");

test("images of a private changelog have the addresses that are given", async () => {
  const content_raw = {
    blocks: [{ type: "image", data: { file: { url: `/storage/v1/object/public/post-images/${delivery().workspace_id}/a.png` } } }],
  };
  const { content } = await told({ content_raw, images: { "a.png": "/releases/images/sealed" } });
  expect(content?.html).toContain(`src="${origin}/releases/images/sealed"`);
  expect(content!.html + content!.text).not.toContain("/storage/");
});

describe("headers", () => {
  test("has one-click unsubscribe headers, equal on each retry", async () => {
    const mail = mailOf(delivery({ reply_to: "hello@acme.example" }), [await told()], sending);
    expect(mail).toMatchObject({
      to: "ana@reader.example",
      from: '"Acme via Tidings" <news@tidings.example>',
      replyTo: "hello@acme.example",
      subject: "Dark mode",
      key: "11111111-1111-4111-8111-111111111111",
    });
    expect(mail.headers).toEqual({
      "Message-ID": "<11111111-1111-4111-8111-111111111111@tidings.example>",
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${own}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": "<changelog.acme.tidings.example>",
      Precedence: "bulk",
      "Feedback-ID": "post:22222222-2222-4222-8222-222222222222:tidings",
    });
  });

  test.each(["confirmation", "reminder"])("of a %s has no list headers", (kind) => {
    const { headers } = mailOf(delivery({ kind, posts: [] }), [], sending);
    expect(Object.keys(headers!).toSorted()).toEqual(["Auto-Submitted", "Message-ID"]);
  });

  test("never contains line breaks or control characters", async () => {
    const evil = 'A"\r\nBcc: all@evil.example\r\n\r\n\u0000\u2028<b>\u202e\\';
    const digest = await told({ title: evil });
    for (const mail of [
      mailOf(
        delivery({ workspace_name: evil, sender_name: evil }),
        [await told({ title: evil, author_name: evil, excerpt: evil })],
        sending,
      ),
      mailOf(delivery({ workspace_name: evil, kind: "digest" }), [digest], sending),
      mailOf(delivery({ workspace_name: evil, kind: "confirmation", posts: [] }), [], sending),
      mailOf(delivery({ workspace_name: evil, kind: "reminder", posts: [] }), [], sending),
    ]) {
      for (const value of [mail.from!, mail.subject, ...Object.values(mail.headers!)]) expect(value).not.toMatch(/[\p{Cc}\u2028]/u);
      expect(mail.from).toMatch(/^"[^"\\<>]* via Tidings" <news@tidings\.example>$/);
    }
  });

  test("links use the custom domain, subscription links the app's host, and the logo our subdomain", async () => {
    const at = delivery({ domain: "changelog.acme.example", logo_url: "/storage/v1/object/public/logos/a.png" });
    for (const mail of [mailOf(at, [await told()], sending), mailOf({ ...at, kind: "digest" }, [await told()], sending)]) {
      for (const text of [mail.html, mail.text]) {
        expect(text).toMatch(/https:\/\/changelog\.acme\.example\/releases\/[\w-]+\?via=mail/);
        expect(text).toContain(own);
        expect(text).not.toContain("changelog.acme.example/releases/subscription");
      }
      expect(mail.html).toContain(`${origin}/storage/v1/object/public/logos/a.png`);
      expect(mail.headers!["List-Unsubscribe"]).toBe(`<${own}>`);
      expect(mail.headers!["List-Id"]).toBe("<changelog.acme.tidings.example>");
    }
  });
});

test("has the version, labels and button of its post", async () => {
  const button = { text: "Try <it>", url: "https://acme.example/try?a=1&b=2" };
  const details = { version: "1.12.0", component: "API & server", breaking: true, security: true, button };
  const { html, text } = mailOf(delivery(), [await told({ details })], sending);
  const page = documentOf(html);
  const facts = "March 10th, 2026 · Ada Lovelace · API & server 1.12.0 · Breaking change · Security";
  expect(page.querySelector(".m-card .m-muted")!.textContent).toBe(facts);
  const links = [...page.querySelectorAll(".m-card a")].map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links.slice(-2)).toEqual([
    [button.text, button.url],
    ["Read it on the web", `${origin}/releases/dark-mode?via=mail`],
  ]);
  expect(text).toContain(`${facts}\n`);
  expect(text).toContain(`Try <it>: ${button.url}\n`);
});

describe("a post longer than email clients show", () => {
  const paragraphs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      type: "paragraph",
      data: { text: `Paragraph ${at}. ${"Words &amp; <b>more</b> words. ".repeat(20)}` },
    }));

  test("is cut between blocks with a link to the rest; its text is complete", async () => {
    const { html, text } = mailOf(delivery(), [await told({ content_raw: { blocks: paragraphs(300) } })], sending);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(102_000);
    const page = documentOf(html);
    const shown = [...page.querySelectorAll(".m-card > p")].filter((paragraph) => paragraph.textContent!.startsWith("Paragraph "));
    expect(shown.length).toBeGreaterThan(50);
    for (const paragraph of shown) expect(paragraph.querySelectorAll("b")).toHaveLength(20);
    const links = [...page.querySelectorAll(".m-card a")].map((link) => [link.textContent, link.getAttribute("href")]);
    expect(links.at(-1)).toEqual(["Read the rest on the web", `${origin}/releases/dark-mode?via=mail`]);
    expect(text).toContain("Paragraph 299.");
    expect(page.querySelector(`a[href="${own}"]`)!.textContent).toBe("Manage preferences or unsubscribe");
  });

  test("starts with the excerpt if its first block is too long", async () => {
    const code = { type: "code", data: { code: "&".repeat(30_000) } };
    const { html } = mailOf(delivery(), [await told({ content_raw: { blocks: [code] } })], sending);
    expect(html).toContain("You can now switch.");
    expect(html).toContain("Read the rest on the web");
    expect(html.length).toBeLessThan(10_000);
  });

  test("fifty of the longest in a digest are fifty short entries", async () => {
    const posts = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        told({ id: `p${at}`, slug: `s-${at}`, title: `${at} ${"t".repeat(110)}`, excerpt: "Words &amp; ".repeat(200) }),
      ),
    );
    const { html, text, subject } = mailOf(delivery({ kind: "digest" }), posts, sending);
    expect(subject).toBe("50 updates from Acme");
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(102_000);
    for (let at = 0; at < 50; at += 1) {
      expect(html).toContain(`${origin}/releases/s-${at}?via=mail"`);
      expect(text).toContain(`${origin}/releases/s-${at}?via=mail\n`);
    }
    expect(html + text).not.toContain("See all updates");

    const ids = Array.from({ length: 51 }, (_, at) => `p${at}`);
    const more = mailOf(delivery({ kind: "digest", posts: ids }), posts, sending);
    expect(more.subject).toBe("50 updates from Acme");
    const last = [...documentOf(more.html).querySelectorAll(".m-card a")].at(-1)!;
    expect([last.textContent, last.getAttribute("href")]).toEqual(["See all updates", `${origin}/releases`]);
    expect(more.text).toContain(`\n\nSee all updates: ${origin}/releases\n\n--\n`);
    expect(new TextEncoder().encode(more.html).byteLength).toBeLessThan(102_000);
  });
});

describe("user text can't inject markup into an email,", () => {
  const everywhere = (text: string) => [
    { type: "paragraph", data: { text } },
    { type: "paragraph", data: { text: `<a href="${text}">x</a><a href='${text}'>y</a><mark class="cdx-marker">${text}</mark>` } },
    { type: "header", data: { text, level: 2 } },
    { type: "list", data: { style: "unordered", items: [{ content: text, items: [{ content: text }] }] } },
    { type: "checklist", data: { items: [{ text, checked: true }] } },
    { type: "image", data: { file: { url: text }, caption: text, alt: text } },
    { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/none.png" }, caption: text, alt: text } },
    { type: "code", data: { code: text, language: text } },
    { type: "quote", data: { text, caption: text, alignment: text } },
    { type: "callout", data: { kind: text, text } },
    { type: "embed", data: { url: "https://youtu.be/aqz-KE-bpKQ", caption: text } },
    { type: "table", data: { content: [[text, "x"]], withHeadings: true } },
    { type: "raw", data: { html: text, text } },
  ];

  function expectHarmless(html: string): void {
    const page = documentOf(html);
    const elements = [...page.getElementsByTagName("*")];
    const strangers = /^(?:script|form|input|button|iframe|object|embed|base|link|svg|math|video|audio|template)$/;
    expect(elements.filter(({ localName }) => strangers.test(localName)).length).toBe(0);
    expect(page.getElementsByTagName("style").length).toBe(1);
    expect([...page.body.children].map(({ localName }) => localName)).toEqual(["div", "table"]);
    for (const element of elements) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^srcdoc$|^ping$|^action$|^http-equiv$/);
        if (name === "href") expect(value).toMatch(/^(?:https?:\/\/|mailto:)/);
        if (name === "src") expect(value).toMatch(/^https:\/\/acme\.tidings\.example\/storage\//);
      }
    }
  }

  const four = Array.from({ length: Math.ceil(xssPayloads.length / 4) }, (_, at) => xssPayloads.slice(at * 4, at * 4 + 4));
  test.each(four.map((payloads) => [payloads]))("%j", async (payloads) => {
    const hostile = (payload: string): Partial<MailedPost> => ({ title: payload, excerpt: payload, author_name: payload, tags: [payload] });
    const from = (payload: string) => ({
      ...{ workspace_name: payload, sender_name: payload },
      logo_url: `/storage/v1/object/public/logos/${encodeURIComponent(payload)}`,
    });
    const [first] = payloads as [string];
    const post = await told({ ...hostile(first), content_raw: { blocks: payloads.flatMap(everywhere) } });
    expectHarmless(mailOf(delivery(from(first)), [post], sending).html);
    const posts = await Promise.all(payloads.map((payload) => told(hostile(payload))));
    expectHarmless(mailOf(delivery({ ...from(payloads.at(-1)!), kind: "digest" }), posts, sending).html);
    for (const payload of payloads) {
      for (const kind of ["confirmation", "reminder"]) expectHarmless(mailOf(delivery({ ...from(payload), kind }), [], sending).html);
    }
  });
});

test.each([
  ["held", "Emails of %s are paused", "subscribers", [/We've paused sending/, /Waiting emails are kept/]],
  ["webhook_gone", "A webhook of %s was turned off", "settings/webhooks", [/returned 410 Gone/, /turn it on/]],
  ["backup_failed", "The backup of %s failed", "settings/backup", [/couldn't back up/, /try again every day/]],
  ["backup_works", "The backup of %s works again", "settings/backup", [/in your bucket/]],
  ["webhook_failing", "A webhook of %s was turned off", "settings/webhooks", [/for three days/, /resend what it missed/]],
] as const)(
  "the owner email about %s has reason and link, the installation as sender, and equal parts",
  (kind, subject, place, sentences) => {
    const name = 'Acme <b>"&" Co';
    const mail = mailOf(delivery({ kind, workspace_name: name, email: "owner@acme.example", token: "", posts: [] }), [], sending);
    expect(mail).toMatchObject({ to: "owner@acme.example", subject: subject.replace("%s", name) });
    expect(mail).not.toHaveProperty("from");
    expect(mail.headers).not.toHaveProperty("List-Unsubscribe");
    const page = documentOf(mail.html);
    const links = [...page.querySelectorAll("a")].map(({ href }) => href);
    expect(links).toContain(`${publicUrl}/workspace/22222222-2222-4222-8222-222222222222/${place}`);
    expect(page.querySelector("td.m-card b")).toBeNull();
    for (const sentence of [...sentences, /because you own Acme <b>"&" Co/]) {
      expect(page.body.textContent).toMatch(sentence);
      expect(mail.text).toMatch(sentence);
    }
  },
);

describe("in the workspace's language and appearance", () => {
  const wearing = (settings: object, logo_dark_url: string | null = null) => ({
    appearance: { settings, logo_dark_url, favicon_url: null } as Delivery["appearance"],
  });
  const content_raw = {
    blocks: [
      { type: "paragraph", data: { text: 'See <a href="https://docs.example/">there</a>.' } },
      { type: "list", data: { style: "unordered", items: [{ content: "one", items: [] }] } },
      {
        type: "table",
        data: {
          withHeadings: true,
          content: [
            ["a", "b"],
            ["c", "d"],
          ],
        },
      },
      { type: "callout", data: { kind: "warning", text: "Mind the gap" } },
    ],
  };
  const written = async (kind: string, given: Pick<Delivery, "appearance">, fields: Partial<MailedPost> = {}) => {
    const posts = kind === "post" || kind === "digest" ? [await renderPost(post({ content_raw, ...fields }), origin, voiceOf(given))] : [];
    return mailOf(delivery({ kind, ...given }), kind === "digest" ? [...posts, ...posts] : posts, sending);
  };

  test.each(locales)("%s: every email is complete", async (locale) => {
    const { dir, words, dates } = languageIn({ locale, date_format: "long" });
    const { mail: own } = words;
    const said = {
      post: [own.readOn, own.manage, own.asked("Acme"), dates.day(new Date("2026-03-10T10:00:00Z")), words.content.warning],
      digest: [own.manage, own.asked("Acme"), dates.day(new Date("2026-03-10T10:00:00Z"))],
      confirmation: [own.confirm, own.confirmQuestion("Acme"), own.confirmReason],
      reminder: [own.seeSubscription, own.already("Acme"), own.alreadyReason],
    };
    const subjects = {
      post: "Dark mode",
      digest: own.updatesFrom(2, "Acme"),
      confirmation: own.confirmSubject("Acme"),
      reminder: own.alreadySubject("Acme"),
    };
    for (const [kind, sentences] of Object.entries(said)) {
      const mail = await written(kind, wearing({ locale }));
      const page = documentOf(mail.html);
      expect([page.documentElement.lang, page.documentElement.dir, page.body.dir]).toEqual([locale, dir, dir]);
      expect([mail.subject, mail.from]).toEqual([
        subjects[kind as keyof typeof subjects],
        `"${own.via("Acme", "Tidings")}" <news@tidings.example>`,
      ]);
      for (const sentence of sentences) {
        expect(page.body.textContent).toContain(sentence);
        expect(mail.text).toContain(sentence);
      }
    }
  });

  test("the dark logo appears in dark emails with an absolute, validated URL", async () => {
    const logo_url = "/storage/v1/object/public/logos/light.png";
    const logos = async (dark: string | null, settings: object = {}) =>
      [
        ...documentOf(mailOf(delivery({ kind: "confirmation", logo_url, ...wearing(settings, dark) }), [], sending).html).querySelectorAll(
          "img",
        ),
      ].map((image) => [image.className, image.getAttribute("src"), image.style.display]);
    const light = `${origin}${logo_url}`;
    expect(await logos("/storage/v1/object/public/logos/dark.png")).toEqual([
      ["m-logo", light, "inline"],
      ["m-logo-dark", `${origin}/storage/v1/object/public/logos/dark.png`, "none"],
    ]);
    for (const dark of [null, "javascript:alert(1)"]) expect(await logos(dark)).toEqual([["", light, "inline"]]);
    expect(await logos("/storage/v1/object/public/logos/dark.png", { theme: "light" })).toEqual([["", light, "inline"]]);
  });

  test.each(["red;background:url(//x)", '"><script>', 7, {}])("an invalid accent of %j is ignored", async (accent) => {
    const { html } = await written("post", wearing({ accent }));
    expect(html).toContain("background:#0b6b62");
    expect(html).not.toMatch(/url\(|<script/);
  });
});
