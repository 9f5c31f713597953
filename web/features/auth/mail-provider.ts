/** Webmail by email domain. */
interface MailProvider {
  name: string;
  inbox: string;
}

const providers: readonly (MailProvider & { domains: RegExp })[] = [
  { name: "Gmail", inbox: "https://mail.google.com/", domains: /^(?:gmail|googlemail)\.com$/ },
  { name: "Outlook", inbox: "https://outlook.live.com/mail/", domains: /^(?:msn\.com|(?:outlook|hotmail|live)(?:\.[a-z]{2,3}){1,2})$/ },
  { name: "Yahoo Mail", inbox: "https://mail.yahoo.com/", domains: /^(?:(?:ymail|rocketmail)\.com|yahoo(?:\.[a-z]{2,3}){1,2})$/ },
  { name: "iCloud Mail", inbox: "https://www.icloud.com/mail/", domains: /^(?:icloud|me|mac)\.com$/ },
  { name: "Proton Mail", inbox: "https://mail.proton.me/", domains: /^(?:proton\.me|protonmail\.(?:com|ch)|pm\.me)$/ },
];

/** Null for domains without a known webmail. */
export function mailProvider(email: string): MailProvider | null {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return providers.find(({ domains }) => domains.test(domain)) ?? null;
}
