import type { MailCheck } from "#contract/subscribers.ts";
import { within } from "../../_shared/dns.ts";

/** TXT values; null if there are none. Throws if DNS can't be queried. */
export type LookUpTexts = (name: string, signal: AbortSignal) => Promise<string[] | null>;

type MailRecord = MailCheck["records"][number];

const timeoutMs = 4_000;

/** `selector` of the DKIM key; only the operator knows it. */
export async function checkRecords(
  domain: string,
  selector: string | null,
  lookUp: LookUpTexts,
  deadlineMs = timeoutMs,
): Promise<MailCheck["records"]> {
  const ask: Ask = async (name) => (await within(deadlineMs, (signal) => lookUp(name, signal))) ?? "unknown";
  if (!domain.includes(".")) return (["SPF", "DKIM", "DMARC"] as const).map((kind) => ({ kind, name: null, ...nowhere }));
  return await Promise.all([spf(domain, ask), dkim(domain, selector, ask), dmarc(domain, ask)]);
}

type Ask = (name: string) => Promise<readonly string[] | "unknown">;

const nowhere = {
  state: "unknown",
  value: null,
  text: "This isn't a public domain, so it has no DNS records to check. Set TIDINGS_MAIL_FROM to the domain you send from.",
} as const;
const unanswered = { state: "unknown", value: null, text: "DNS lookup failed. Please try again later." } as const;

async function spf(domain: string, ask: Ask): Promise<MailRecord> {
  const about = { kind: "SPF", name: domain } as const;
  const texts = await ask(domain);
  if (texts === "unknown") return { ...about, ...unanswered };
  const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const value = records[0] ?? null;
  if (value === null) {
    return {
      ...about,
      state: "missing",
      value,
      text: "No server can send for this domain. Add the TXT record that your email service shows. If it uses its own return path, that one counts instead.",
    };
  }
  if (records.length > 1) {
    return { ...about, state: "wrong", value, text: "There are several SPF records, so receivers ignore them. Merge them into one." };
  }
  if (/(?:^|\s)\+?all\b/i.test(value)) {
    return {
      ...about,
      state: "wrong",
      value,
      text: "This record lets any server send for this domain. It should end with ~all or -all.",
    };
  }
  return { ...about, state: "found", value, text: "Receivers know which servers can send for this domain." };
}

async function dkim(domain: string, selector: string | null, ask: Ask): Promise<MailRecord> {
  if (selector === null) {
    return {
      kind: "DKIM",
      name: null,
      state: "unknown",
      value: null,
      text: "The DKIM key is unknown. Ask your administrator to set TIDINGS_MAIL_DKIM_SELECTOR.",
    };
  }
  const about = { kind: "DKIM", name: `${selector}._domainkey.${domain}` } as const;
  const texts = await ask(about.name);
  if (texts === "unknown") return { ...about, ...unanswered };
  const value = texts.find((text) => /(?:^|;)\s*p=/i.test(text)) ?? null;
  if (value === null) {
    return { ...about, state: "missing", value, text: "There's no key under this name. Add the record that your email service shows." };
  }
  if (/(?:^|;)\s*p=\s*(?:;|$)/i.test(value)) {
    return { ...about, state: "wrong", value, text: "The key was revoked, so receivers ignore signatures made with it." };
  }
  return { ...about, state: "found", value, text: "Receivers can verify that emails are signed for this domain." };
}

/** The domain's own policy, else its parent's. */
async function dmarc(domain: string, ask: Ask): Promise<MailRecord> {
  const above = domain.split(".").slice(1).join(".");
  const first = { kind: "DMARC", name: `_dmarc.${domain}` } as const;
  for (const name of [first.name, ...(above.includes(".") ? [`_dmarc.${above}`] : [])]) {
    const texts = await ask(name);
    if (texts === "unknown") return { ...first, name, ...unanswered };
    const value = texts.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    if (value === undefined) continue;
    if (!/;\s*p=(?:none|quarantine|reject)\b/i.test(value)) {
      return {
        ...first,
        name,
        state: "wrong",
        value,
        text: "It has no policy (p=none, p=quarantine or p=reject), so receivers ignore it.",
      };
    }
    return {
      ...first,
      name,
      state: "found",
      value,
      text: "Receivers know how to handle emails that fake this domain.",
    };
  }
  return {
    ...first,
    state: "missing",
    value: null,
    text: 'Large email services require a policy. Start with "v=DMARC1; p=none" as a TXT record under this name.',
  };
}
