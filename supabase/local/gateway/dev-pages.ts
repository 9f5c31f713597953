import type { Mail } from "../engine/mail.ts";

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, style: string, body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<title>${escape(title)}</title><style>${style}</style></head><body>${body}</body></html>`,
    { headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );

const mailStyle = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
  article { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
  h2 { margin: 0; font-size: 1.125rem; }
  p { margin: .25rem 0; }
  .envelope { opacity: .75; font-size: .875rem; }
  details { margin: .75rem 0 0; }
  iframe { width: 100%; height: 30rem; margin: .5rem 0 0; border: 0; border-radius: 6px; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .75rem 0 0; }
`;

export function mailPage(mails: Mail[]): Response {
  const list = mails.map(mailArticle).join("") || "<p>No emails yet. Emails that Tidings sends appear here.</p>";
  return page("Caught emails", mailStyle, `<main><h1>Caught emails</h1>${list}</main>`);
}

function mailArticle({ to, subject, text, html, sent_at }: Mail): string {
  return (
    `<article><h2>${escape(subject)}</h2><p class="envelope">to ${escape(to)} · <time datetime="${escape(sent_at)}">${escape(new Date(sent_at).toUTCString())}</time></p>` +
    `<pre>${clickable(text)}</pre>` +
    `<details><summary>As it looks</summary><iframe title="${escape(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escape(html)}"></iframe></details></article>`
  );
}

const clickable = (text: string): string => escape(text).replace(/https?:\/\/[^\s<>]+/g, (url) => `<a href="${url}">${url}</a>`);

const hostStyle = `
  body { max-width: 32rem; margin: 4rem 8vw; padding: 0 1rem; font: 18px/1.6 Georgia, serif; color: #222; background: #fffdf8; }
  nav { display: flex; gap: 1.5rem; }
`;

export function widgetHostPage(publicUrl: string, subdomain: string | null): Response {
  const body = subdomain
    ? `<nav><strong>Another site</strong></nav><main><h1>A page of another site</h1>` +
      `<p>It shows the widget of the workspace “${escape(subdomain)}” by its public snippet and loads nothing else of Tidings.</p></main>` +
      `<script async src="${escape(publicUrl)}/widget.js" data-workspace="${escape(subdomain)}"></script>`
    : `<main><h1>A page of another site</h1><p>No workspace has a public changelog yet. Turn one on, or add its subdomain: <code>?workspace=acme</code>.</p></main>`;
  return page("Another site", hostStyle, body);
}
