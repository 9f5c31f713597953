import type { MailCheck } from "#contract/subscribers.ts";

/** Texts of a name; null where there are none. Throws when the DNS cannot be asked. */
export type LookUpTexts = (name: string, signal: AbortSignal) => Promise<string[] | null>;

type MailRecord = MailCheck["records"][number];

const patienceMs = 4_000;

/** What receivers of mail find about the domain of a sender. `selector` is that of the DKIM key, which only the operator knows. */
export async function checkRecords(
  domain: string,
  selector: string | null,
  lookUp: LookUpTexts,
  patience = patienceMs,
): Promise<MailCheck["records"]> {
  const ask = askWithin(lookUp, patience);
  if (!domain.includes(".")) return (["SPF", "DKIM", "DMARC"] as const).map((kind) => ({ kind, name: null, ...nowhere }));
  return await Promise.all([spf(domain, ask), dkim(domain, selector, ask), dmarc(domain, ask)]);
}

/** The texts of a name, or that nobody knows. */
type Ask = (name: string) => Promise<readonly string[] | "unknown">;

function askWithin(lookUp: LookUpTexts, patience: number): Ask {
  return async (name) => {
    const signal = AbortSignal.timeout(patience);
    const late = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
    try {
      return (await Promise.race([lookUp(name, signal), late])) ?? [];
    } catch {
      return "unknown";
    }
  };
}

const nowhere = {
  state: "unknown",
  value: null,
  text: "This is no domain of the internet, so there is nothing to look up. MAIL_FROM names the one that mails come from.",
} as const;
const unanswered = { state: "unknown", value: null, text: "It could not be looked up. Please try again later." } as const;

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
      text: "No server is named that may send for this domain. Add the TXT record your mail service shows; if it uses a return path of its own, that one counts instead.",
    };
  }
  if (records.length > 1) {
    return { ...about, state: "wrong", value, text: "There are several SPF records, so receivers take none. Join them into one." };
  }
  if (/(?:^|\s)\+?all\b/i.test(value)) {
    return {
      ...about,
      state: "wrong",
      value,
      text: "It lets every server of the world send for this domain. It should end with ~all or -all.",
    };
  }
  return { ...about, state: "found", value, text: "Receivers know which servers may send for this domain." };
}

async function dkim(domain: string, selector: string | null, ask: Ask): Promise<MailRecord> {
  if (selector === null) {
    return {
      kind: "DKIM",
      name: null,
      state: "unknown",
      value: null,
      text: "Which key mails are signed with is not known here: whoever runs this installation can set MAIL_DKIM_SELECTOR.",
    };
  }
  const about = { kind: "DKIM", name: `${selector}._domainkey.${domain}` } as const;
  const texts = await ask(about.name);
  if (texts === "unknown") return { ...about, ...unanswered };
  const value = texts.find((text) => /(?:^|;)\s*p=/i.test(text)) ?? null;
  if (value === null) {
    return { ...about, state: "missing", value, text: "No key is published under this name. Add the record your mail service shows." };
  }
  if (/(?:^|;)\s*p=\s*(?:;|$)/i.test(value)) {
    return { ...about, state: "wrong", value, text: "The key was withdrawn: signatures made with it count for nothing." };
  }
  return { ...about, state: "found", value, text: "Receivers can check that mails are signed for this domain." };
}

/** The rule of the domain itself, else that of the one above it. */
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
        text: "It says no rule (p=none, p=quarantine or p=reject), so receivers take it for none.",
      };
    }
    return {
      ...first,
      name,
      state: "found",
      value,
      text: "Receivers know what to do with mails that only pretend to come from this domain.",
    };
  }
  return {
    ...first,
    state: "missing",
    value: null,
    text: 'Large mail services ask for a rule. "v=DMARC1; p=none" as a TXT record under this name is a beginning.',
  };
}
