import { mailAddress } from "#contract/mail-address.ts";
import { isFrequency } from "#contract/subscriptions.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";
import type { SubscriptionRequest } from "./queries.ts";

const longestForm = 8_192;

export async function readForm(request: Request, most = longestForm): Promise<FormData | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type) || request.body === null) {
    await request.body?.cancel();
    return null;
  }
  const body = await bytesUpTo(request.body, most);
  if (body === null) return null;
  try {
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    return null;
  }
}

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

export const tagsOf = (form: FormData): string[] =>
  form.getAll("tags").flatMap((tag) => (typeof tag === "string" && tag !== "" && tag.length <= 40 && !tag.includes("\0") ? [tag] : []));

export function wishOf(form: FormData): { typed: string; wish: SubscriptionRequest | null; isMachine: boolean } {
  const typed = text(form, "email").slice(0, 320);
  const email = mailAddress(typed);
  const frequency = text(form, "frequency") || "instant";
  const wish = email === null || !isFrequency(frequency) ? null : { email, frequency, tags: tagsOf(form) };
  return { typed, wish, isMachine: text(form, "website") !== "" };
}
