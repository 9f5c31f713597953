import type { Locale } from "#contract/locales.ts";
import { type Accent, accentColours } from "#contract/rules/accent.ts";
import { escapeHtml } from "#contract/blocks/text.ts";

export interface FrameLook {
  locale: Locale;
  dir: "ltr" | "rtl";
  accent: { light: Accent; dark: Accent };
  font: string;
  dark: boolean;
  logoDark: string | null;
}

const sansSerif = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const ourLook: FrameLook = {
  locale: "en",
  dir: "ltr",
  accent: accentColours(null),
  font: `Inter,${sansSerif}`,
  dark: true,
  logoDark: null,
};

export const mailFonts = {
  inter: ourLook.font,
  geist: `Geist,Inter,${sansSerif}`,
  "source-serif": "'Source Serif 4',Georgia,'Times New Roman',serif",
  system: `system-ui,${sansSerif}`,
} as const;

export interface Frame {
  name: string;
  home: string;
  logo: string | null;
  subject: string;
  /** Preview text in inboxes. */
  preheader: string;
  /** HTML from us or from cleaned blocks. */
  body: string;
  foot: string;
  look?: FrameLook;
  dir?: "ltr" | "rtl";
}

const narrow = "@media (max-width: 620px) { .m-card { padding: 24px 20px !important; } }";

const sheetOf = ({ dark, accent: { dark: shade } }: FrameLook): string =>
  dark
    ? `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .m-page { background: #161412 !important; }
  .m-card { background: #1e1b18 !important; color: #f2efe9 !important; }
  .m-card a { color: ${shade.accent} !important; }
  .m-muted, .m-muted a { color: #b3aa9d !important; }
  .m-card h1 a { color: inherit !important; }
  .m-button { background: ${shade.accent} !important; }
  .m-card .m-button a { color: ${shade.onAccent} !important; }
  .m-line { border-color: #37322c !important; }
  .m-logo { display: none !important; }
  .m-logo-dark { display: inline !important; }
}
${narrow}`
    : `
:root { color-scheme: light only; supported-color-schemes: light; }
${narrow}`;

export const asLine = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Table cells, because Outlook ignores padding elsewhere. `label` is plain text. */
export const button = (href: string, label: string, { accent: { light }, dir }: FrameLook = ourLook): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" dir="${dir}" style="margin:24px 0"><tr><td class="m-button" style="border-radius:6px;background:${light.accent}"><a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 22px;color:${light.onAccent};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;

const sideOf = { ltr: "left", rtl: "right" } as const;

/** 600px column in tables; no scripts, tracking pixels or external resources but images. */
export function mailFrame({ name, home, logo, subject, preheader, body, foot, look = ourLook, dir = look.dir }: Frame): string {
  const { locale, font, logoDark } = look;
  const image = (url: string, more: string): string =>
    `<img src="${escapeHtml(url)}" width="28" height="28" alt=""${more};vertical-align:middle;border-radius:6px;border:0"> `;
  const hasBoth = look.dark && logo !== null && logoDark !== null;
  const mark = [
    logo ? image(logo, hasBoth ? ' class="m-logo" style="display:inline' : ' style="display:inline') : "",
    hasBoth ? image(logoDark, ' class="m-logo-dark" style="display:none') : "",
  ].join("");
  const scheme = look.dark ? "light dark" : "light only";
  return `<!doctype html>
<html lang="${locale}" dir="${look.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<title>${escapeHtml(subject)}</title>
<style>${sheetOf(look)}</style>
</head>
<body class="m-page" dir="${look.dir}" style="margin:0;padding:0;background:#fbfaf8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" dir="${look.dir}" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed">
<tr><td class="m-muted" align="${sideOf[look.dir]}" style="padding:0 0 16px;font:600 15px/28px ${font};color:#5f574c;overflow-wrap:anywhere"><a href="${escapeHtml(home)}" style="color:inherit;text-decoration:none">${mark}${escapeHtml(name)}</a></td></tr>
<tr><td class="m-card" dir="${dir}" align="${sideOf[dir]}" style="padding:32px 24px;background:#ffffff;border-radius:10px;font:16px/26px ${font};color:#1f1b16;overflow-wrap:anywhere;word-break:break-word">
${body}
</td></tr>
<tr><td class="m-muted" align="${sideOf[look.dir]}" style="padding:20px 0;font:13px/20px ${font};color:#5f574c;overflow-wrap:anywhere">${foot}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
