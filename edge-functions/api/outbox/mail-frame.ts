import { escapeHtml } from "#contract/blocks/text.ts";

/** What stands around every mail to a subscriber. */
export interface Frame {
  /** Of the workspace: its name, its page and its logo, absolute. */
  name: string;
  home: string;
  logo: string | null;
  subject: string;
  /** Shown beside the subject by most programs. */
  preheader: string;
  /** HTML of ours or of cleaned blocks. */
  body: string;
  /** The last lines: why this came, and how to end it. HTML. */
  foot: string;
}

/** Programs that know dark screens are told their colours; the others show the light ones. */
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .m-page { background: #161412 !important; }
  .m-card { background: #1e1b18 !important; color: #f2efe9 !important; }
  .m-card a { color: #4fc4b7 !important; }
  .m-muted, .m-muted a { color: #b3aa9d !important; }
  .m-card h1 a { color: inherit !important; }
  .m-button { background: #4fc4b7 !important; }
  .m-card .m-button a { color: #06201d !important; }
  .m-line { border-color: #37322c !important; }
}
@media (max-width: 620px) { .m-card { padding: 24px 20px !important; } }`;

const font = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** What a text may be in a header: one line, whatever stands in the database. */
export const asLine = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** A button: Outlook knows no padding but that of cells. `label` is text. */
export const button = (href: string, label: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td class="m-button" style="border-radius:6px;background:#0b6b62"><a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;

/** A whole mail: one column 600 pixels wide, tables for what must hold, no script, no opening pixel, nothing from elsewhere but its images. */
export function mailFrame({ name, home, logo, subject, preheader, body, foot }: Frame): string {
  const mark = logo
    ? `<img src="${escapeHtml(logo)}" width="28" height="28" alt="" style="vertical-align:middle;border-radius:6px;border:0"> `
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${sheet}</style>
</head>
<body class="m-page" style="margin:0;padding:0;background:#fbfaf8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed">
<tr><td class="m-muted" style="padding:0 0 16px;font:600 15px/28px ${font};color:#5f574c;overflow-wrap:anywhere"><a href="${escapeHtml(home)}" style="color:inherit;text-decoration:none">${mark}${escapeHtml(name)}</a></td></tr>
<tr><td class="m-card" dir="auto" style="padding:32px 24px;background:#ffffff;border-radius:10px;font:16px/26px ${font};color:#1f1b16;overflow-wrap:anywhere;word-break:break-word">
${body}
</td></tr>
<tr><td class="m-muted" style="padding:20px 0;font:13px/20px ${font};color:#5f574c;overflow-wrap:anywhere">${foot}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
