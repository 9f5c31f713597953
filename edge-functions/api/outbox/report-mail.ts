import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { MonthNumbers, MonthPost, MonthTotals } from "#contract/reports.ts";
import { monthChange } from "#contract/rules/month-change.ts";
import type { Message } from "../../_shared/mail.ts";
import { asLine, button, mailFrame } from "./mail-frame.ts";
import { figure } from "#contract/rules/figure.ts";
import { once } from "#contract/rules/once.ts";

type Delivery = Pick<
  AnswerOf<"emails_to_send">[number],
  "id" | "email" | "workspace_id" | "workspace_name" | "subdomain" | "logo_url" | "token" | "month"
>;

const monthAndYear = once(() => new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }));
const monthAlone = once(() => new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }));

const counted = (count: number, one: string, many: string): string => `${figure(count)} ${count === 1 ? one : many}`;

/** In order of display; the first always, others if not zero. */
const rows: readonly [keyof MonthTotals, string][] = [
  ["views", "Views"],
  ["readers", "Readers per day, total"],
  ["widget_opens", "Widget opens"],
  ["clicks", "Link clicks in the widget"],
  ["mails_sent", "Emails sent to subscribers"],
  ["subscribed", "New subscribers"],
  ["left", "Unsubscribed"],
];

interface Part {
  html: string;
  text: string;
}

/** Monthly report for the owner and named recipients, sent by the installation. `token` null: requested on demand. */
export function reportMail(
  { id, email, workspace_id, workspace_name: name, subdomain, logo_url, token, month }: Omit<Delivery, "token"> & { token: string | null },
  numbers: MonthNumbers,
  publicUrl: string,
): Message {
  const first = new Date(`${month}T00:00:00Z`);
  const title = monthAndYear().format(first);
  const before = monthAlone().format(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1)));
  const { protocol, host } = new URL(publicUrl);
  const origin = `${protocol}//${subdomain}.${host}`;
  const { totals, published } = numbers;
  const gist = [
    published > 0 && counted(published, "post", "posts"),
    (totals.views > 0 || published === 0) && counted(totals.views, "view", "views"),
  ]
    .filter(Boolean)
    .join(", ");
  const subject = `${name} in ${title}: ${gist}`;
  const lead = `What ${name} published, who read it and how it changed.`;
  const parts = [
    sums(numbers, before),
    postList(publishedTitle(numbers), numbers.posts, numbers, origin),
    postList("Most read", numbers.most_read, numbers, origin),
    nameList("Top referrers", numbers.referrers, "visit", "visits"),
    nameList("Searches without results", numbers.searches, "search", "searches"),
  ].filter((part) => part !== null);
  const analytics = `${publicUrl}/workspace/${workspace_id}/analytics`;
  const reason = `${token === null ? "You requested this report just now." : `You get this email because you own ${name} or were added to its monthly report.`} Days are in UTC. A reader on two days counts twice.`;
  const own = token === null ? null : `${publicUrl}/reports/${token}`;
  const logo = safeImageUrl(logo_url ?? "");
  return {
    to: email,
    subject: asLine(subject),
    html: mailFrame({
      name,
      home: numbers.open ? `${origin}/releases` : publicUrl,
      logo: logo && new URL(logo, origin).href,
      subject,
      preheader: lead,
      body: `<h1 style="margin:0 0 4px;font-size:26px;line-height:32px">${escapeHtml(title)}</h1>
<p class="m-muted" style="margin:0 0 24px;color:#5f574c">${escapeHtml(lead)}</p>
${parts.map(({ html }) => html).join("\n")}
${numbers.analytics ? button(analytics, "View analytics") : ""}`,
      foot: `${escapeHtml(reason)}${own === null ? "" : `<br><a href="${escapeHtml(own)}" style="color:inherit">Stop these reports</a>`}`,
    }),
    text: `${[title, lead, ...parts.map(({ text }) => text), ...(numbers.analytics ? [`View analytics: ${analytics}`] : [])].join("\n\n")}\n\n--\n${reason}${own === null ? "" : `\nStop these reports: ${own}`}\n`,
    key: id,
    headers: {
      "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`,
      "Auto-Submitted": "auto-generated",
      ...(token !== null && {
        "List-Unsubscribe": `<${publicUrl}/api/reports/${token}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": `<reports.${new URL(origin).hostname}>`,
        Precedence: "bulk",
        "Feedback-ID": `report:${workspace_id}:tidings`,
      }),
    },
  };
}

const cell = "padding:10px 0;border-top:1px solid #ddd8cf;vertical-align:top";

function sums({ totals, previous }: MonthNumbers, before: string): Part {
  const lines = rows
    .filter(([key]) => key === "views" || totals[key] > 0 || previous[key] > 0)
    .map(([key, label]) => ({ label, value: figure(totals[key]), change: monthChange(totals[key], previous[key], before) }));
  return {
    html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 28px">${lines
      .map(
        ({ label, value, change }) =>
          `<tr><td class="m-line" style="${cell}">${label}${change === null ? "" : `<br><span class="m-muted" style="color:#5f574c;font-size:14px;line-height:20px">${escapeHtml(change)}</span>`}</td><td class="m-line" align="right" style="${cell};padding-left:16px;font-size:20px;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap">${value}</td></tr>`,
      )
      .join("")}</table>`,
    text: lines.map(({ label, value, change }) => `${label}: ${value}${change === null ? "" : ` (${change})`}`).join("\n"),
  };
}

function publishedTitle({ published, posts }: MonthNumbers): string {
  if (published <= posts.length) return "Published";
  return `Published: the newest ${posts.length} of ${figure(published)}`;
}

const heading = (title: string): string => `<h2 style="margin:0 0 8px;font-size:20px;line-height:28px">${escapeHtml(title)}</h2>`;

function list(title: string, entries: readonly { html: string; text: string; count: string }[]): Part | null {
  if (entries.length === 0) return null;
  return {
    html: `${heading(title)}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 28px">${entries
      .map(
        ({ html, count }) =>
          `<tr><td style="padding:4px 0;vertical-align:top">${html}</td><td class="m-muted" align="right" style="padding:4px 0 4px 16px;vertical-align:top;color:#5f574c;font-size:14px;white-space:nowrap">${count}</td></tr>`,
      )
      .join("")}</table>`,
    text: `${title}\n${entries.map(({ text, count }) => `- ${text} (${count})`).join("\n")}`,
  };
}

function postList(title: string, posts: readonly MonthPost[], { open }: MonthNumbers, origin: string): Part | null {
  return list(
    title,
    posts.map(({ title, slug, views }) => {
      const href = `${origin}/releases/${slug}`;
      const shown = escapeHtml(title);
      return {
        html: open ? `<a href="${escapeHtml(href)}" style="color:#0b6b62">${shown}</a>` : shown,
        text: open ? `${asLine(title)}: ${href}` : asLine(title),
        count: counted(views, "view", "views"),
      };
    }),
  );
}

/** A zero-width space after each dot keeps email clients from linking hosts that strangers chose. */
const unlinked = (name: string): string => name.replaceAll(".", ".\u200b");

function nameList(title: string, names: MonthNumbers["referrers"], one: string, many: string): Part | null {
  return list(
    title,
    names.map(({ name, count }) => ({ html: escapeHtml(unlinked(name)), text: unlinked(asLine(name)), count: counted(count, one, many) })),
  );
}

/** Double opt-in: nothing else is sent before confirmation. */
export function questionMail({ id, email, workspace_name: name, token }: Delivery, publicUrl: string): Message {
  const sentences = [
    `You were added to ${name}'s monthly report. Confirm to get it on the 1st of each month. It shows what was published, who read it and how that changed.`,
    "We won't send any until you confirm.",
  ];
  const href = `${publicUrl}/reports/${token}`;
  const reason = "If you don't want this, ignore this email. You won't get any reports.";
  const subject = `Please confirm: the monthly report of ${name}`;
  return {
    to: email,
    subject: asLine(subject),
    html: mailFrame({
      ...{ name, home: publicUrl, logo: null, subject, preheader: sentences[1]! },
      body: `${sentences.map((sentence) => `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>`).join("\n")}${button(href, "Confirm")}`,
      foot: escapeHtml(reason),
    }),
    text: `${sentences.join("\n\n")}\n\nConfirm: ${href}\n\n--\n${reason}\n`,
    key: id,
    headers: { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`, "Auto-Submitted": "auto-generated" },
  };
}
