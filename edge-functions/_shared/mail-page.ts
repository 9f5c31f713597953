import { escapeHtml } from "#contract/blocks/text.ts";

export interface MailWords {
  title: string;
  text: string;
  button: string;
  url: string;
  note: string;
}

/** Layout of all product emails: light and dark, for email clients. Also generates supabase/templates (`npm run mail-templates`). */
export function mailPage({ title, text, button, url, note }: MailWords): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <style>
      :root {
        color-scheme: light dark;
        supported-color-schemes: light dark;
      }
      @media (prefers-color-scheme: dark) {
        .ground { background-color: #161412 !important; }
        .sheet { background-color: #1e1b18 !important; border-color: #37322c !important; border-top-color: #4fc4b7 !important; }
        .text { color: #f2efe9 !important; }
        .name { color: #4fc4b7 !important; }
        .muted { color: #b3aa9d !important; }
        .button { background-color: #4fc4b7 !important; }
        .button a { color: #06201d !important; }
      }
      @media (max-width: 480px) {
        .inner { padding: 28px 20px !important; }
      }
    </style>
  </head>
  <body class="ground" style="margin: 0; padding: 0; background-color: #fbfaf8">
    <table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background-color: #fbfaf8">
      <tr>
        <td align="center" style="padding: 32px 12px">
          <table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width: 520px; background-color: #ffffff; border: 1px solid #ddd8cf; border-top: 4px solid #0b6b62; border-radius: 10px">
            <tr>
              <td class="inner" align="left" style="padding: 36px 40px; font-family: Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">
                <p class="name" style="margin: 0 0 28px; font-size: 18px; line-height: 24px; font-weight: 700; letter-spacing: -0.01em; color: #0b6b62">Tidings</p>
                <h1 class="text" style="margin: 0 0 12px; font-size: 24px; line-height: 30px; font-weight: 600; color: #1f1b16">${escapeHtml(title)}</h1>
                <p class="text" style="margin: 0 0 28px; font-size: 16px; line-height: 25px; color: #1f1b16">${escapeHtml(text)}</p>
                <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 0 0 28px">
                  <tr>
                    <td class="button" style="border-radius: 6px; background-color: #0b6b62">
                      <a href="${escapeHtml(url)}" style="display: inline-block; padding: 12px 24px; font-size: 16px; line-height: 24px; font-weight: 600; color: #ffffff; text-decoration: none">${escapeHtml(button)}</a>
                    </td>
                  </tr>
                </table>
                <p class="muted" style="margin: 0; font-size: 14px; line-height: 21px; color: #5f574c">${escapeHtml(note)}</p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}

export const mailText = ({ title, text, button, url, note }: MailWords): string => `${title}\n\n${text}\n\n${button}: ${url}\n\n${note}\n`;
