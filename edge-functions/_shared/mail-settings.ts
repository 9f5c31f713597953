/** Which transport takes our mails, and how it is reached. */
export type MailSettings = ApiSettings | SmtpSettings;

interface ApiSettings {
  /** `resend`: the shape of Resend's API, which others have too; `postmark`: Postmark's. */
  transport: "resend" | "postmark";
  url: string;
  key: string;
  /** The installation's own sender. */
  from: string;
}

interface SmtpSettings {
  transport: "smtp";
  /** smtps://user:password@host:465, or smtp://… with STARTTLS. */
  url: string;
  from: string;
}

type Read = (name: string) => string | undefined;

const postmark = "https://api.postmarkapp.com/email";

/**
 * What MAIL_TRANSPORT names; where it is empty, SMTP with a MAIL_SMTP_URL and Resend's shape without. Null: mails have nowhere to go. Without the
 * schemas of env.ts, because the public pages ask, too, whether there is mail.
 */
export function readMailSettings(read: Read): { mail: MailSettings | null; problems: string[] } {
  const from = read("MAIL_FROM") || "Tidings <no-reply@localhost>";
  const [api, smtp, key] = [read("MAIL_API_URL"), read("MAIL_SMTP_URL"), read("MAIL_API_KEY") || ""];
  const transport = read("MAIL_TRANSPORT") || (smtp ? "smtp" : "resend");
  const problem = (text: string) => ({ mail: null, problems: [text] });
  switch (transport) {
    case "smtp":
      if (!smtp) return problem("MAIL_SMTP_URL is missing: smtps://user:password@host:465 for MAIL_TRANSPORT=smtp");
      if (!isAddress(smtp, /^smtps?:$/)) return problem("MAIL_SMTP_URL is not an address such as smtps://user:password@host:465");
      return { mail: { transport, url: smtp, from }, problems: [] };
    case "postmark":
      if (!key) return problem("MAIL_API_KEY is missing: the server's token for MAIL_TRANSPORT=postmark");
      if (api && !isAddress(api, /^https?:$/)) return problem(wrongApi);
      return { mail: { transport, url: api || postmark, key, from }, problems: [] };
    case "resend":
      if (!api)
        return { mail: null, problems: read("MAIL_TRANSPORT") ? ["MAIL_API_URL is missing: the address that mails are handed to"] : [] };
      if (!isAddress(api, /^https?:$/)) return problem(wrongApi);
      return { mail: { transport, url: api, key, from }, problems: [] };
    default:
      return problem("MAIL_TRANSPORT may be resend, postmark or smtp");
  }
}

const wrongApi = "MAIL_API_URL is not an http(s) address: the address that mails are handed to";

const isAddress = (text: string, protocol: RegExp): boolean =>
  URL.canParse(text) && protocol.test(new URL(text).protocol) && new URL(text).hostname !== "";
