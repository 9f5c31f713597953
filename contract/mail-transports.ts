export type MailSettings = ApiSettings | SmtpSettings;

export interface ApiSettings {
  /** `resend`: Resend's API and compatible ones; `postmark`: Postmark's. */
  transport: "resend" | "postmark";
  url: string;
  key: string;
  from: string;
}

export interface SmtpSettings {
  transport: "smtp";
  url: string;
  from: string;
}

type Read = (name: string) => string | undefined;

const postmark = "https://api.postmarkapp.com/email";

/** TIDINGS_MAIL_TRANSPORT; empty: SMTP if TIDINGS_MAIL_SMTP_URL is set, else Resend's API. null: none. Without zod, as public pages call it too. */
export function readMailSettings(read: Read): { mail: MailSettings | null; problems: string[] } {
  const from = read("TIDINGS_MAIL_FROM") || "Tidings <no-reply@localhost>";
  const [api, smtp, key] = [read("TIDINGS_MAIL_API_URL"), read("TIDINGS_MAIL_SMTP_URL"), read("TIDINGS_MAIL_API_KEY") || ""];
  const transport = read("TIDINGS_MAIL_TRANSPORT") || (smtp ? "smtp" : "resend");
  const problem = (text: string) => ({ mail: null, problems: [text] });
  switch (transport) {
    case "smtp":
      if (!smtp) return problem("TIDINGS_MAIL_SMTP_URL is missing: smtps://user:password@host:465 for TIDINGS_MAIL_TRANSPORT=smtp");
      if (!isAddress(smtp, /^smtps?:$/)) return problem("TIDINGS_MAIL_SMTP_URL isn't a valid URL, such as smtps://user:password@host:465");
      return { mail: { transport, url: smtp, from }, problems: [] };
    case "postmark":
      if (!key) return problem("TIDINGS_MAIL_API_KEY is missing: the server's token for TIDINGS_MAIL_TRANSPORT=postmark");
      if (api && !isAddress(api, /^https?:$/)) return problem(wrongApi);
      return { mail: { transport, url: api || postmark, key, from }, problems: [] };
    case "resend":
      if (!api)
        return {
          mail: null,
          problems: read("TIDINGS_MAIL_TRANSPORT") ? ["TIDINGS_MAIL_API_URL is missing: the URL of the email provider's API"] : [],
        };
      if (!isAddress(api, /^https?:$/)) return problem(wrongApi);
      return { mail: { transport, url: api, key, from }, problems: [] };
    default:
      return problem("TIDINGS_MAIL_TRANSPORT must be resend, postmark or smtp");
  }
}

const wrongApi = "TIDINGS_MAIL_API_URL isn't a valid http(s) URL";

const isAddress = (text: string, protocol: RegExp): boolean =>
  URL.canParse(text) && protocol.test(new URL(text).protocol) && new URL(text).hostname !== "";

export interface OutgoingMail {
  from: string;
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
  key?: string;
}

export interface ApiRequest {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Both providers return `key` in their events. */
export const apiRequest = (settings: ApiSettings, mail: OutgoingMail): ApiRequest =>
  settings.transport === "postmark" ? postmarkRequest(settings, mail) : resendRequest(settings, mail);

function resendRequest({ url, key: bearer }: ApiSettings, { key, replyTo, ...mail }: OutgoingMail): ApiRequest {
  return {
    url,
    headers: { authorization: `Bearer ${bearer}`, ...(key !== undefined && { "idempotency-key": key }) },
    body: {
      ...mail,
      ...(replyTo !== undefined && { reply_to: replyTo }),
      ...(key !== undefined && { tags: [{ name: "delivery", value: key }] }),
    },
  };
}

/** Postmark separates bulk from transactional emails, and replaces the Message-ID unless X-PM-KeepID is set. */
function postmarkRequest({ url, key: token }: ApiSettings, mail: OutgoingMail): ApiRequest {
  const { from, to, subject, html, text, replyTo, headers = {}, key } = mail;
  return {
    url,
    headers: { accept: "application/json", "x-postmark-server-token": token },
    body: {
      From: from,
      To: to,
      Subject: subject,
      HtmlBody: html,
      TextBody: text,
      ...(replyTo !== undefined && { ReplyTo: replyTo }),
      Headers: [...Object.entries(headers), ["X-PM-KeepID", "true"]].map(([Name, Value]) => ({ Name, Value })),
      ...(key !== undefined && { Metadata: { delivery: key } }),
      MessageStream: headers["List-Unsubscribe"] === undefined ? "outbound" : "broadcast",
      TrackOpens: false,
      TrackLinks: "None",
    },
  };
}

/** Message for nodemailer. Address objects prevent injected recipients; no file or URL is loaded. */
export function smtpMail({ from, to, replyTo, subject, text, html, headers = {} }: OutgoingMail) {
  const { "Message-ID": messageId, ...others } = headers;
  return {
    from: mailbox(from),
    to: { name: "", address: to },
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    envelope: { from: mailbox(from).address, to: [to] },
    subject,
    text,
    html,
    ...(messageId !== undefined && { messageId }),
    headers: others,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

export function mailbox(text: string): { name: string; address: string } {
  const parts = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+)>\s*$/.exec(text);
  return parts ? { name: parts[1]!.trim(), address: parts[2]! } : { name: "", address: text.trim() };
}

const timeoutMs = 10_000;

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

export type SmtpOptions = ReturnType<typeof smtpOptions>;

/** Requires TLS or STARTTLS except to localhost. */
export function smtpOptions(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const ignoreTLS = !secure && isLoopback(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ignoreTLS,
    requireTLS: !secure && !ignoreTLS,
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
