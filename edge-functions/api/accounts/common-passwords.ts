import { dictionary } from "@zxcvbn-ts/language-common";
import { passwordMinLength } from "#contract/limits.ts";
import { AppError } from "../../_shared/errors.ts";

let common: Set<string> | null = null;

/** Words of the context, with the email's part before the @. Source: ASVS 6.1.2. */
const contextWords = ["tidings", "changelog", "releasenotes"];
const shortestWord = 4;
const shortestRest = 5;

/** True for such a word with at most a few characters around it. */
function isContextWord(password: string, email: string): boolean {
  const typed = password.toLowerCase();
  return [...contextWords, email.split("@")[0]!.toLowerCase()].some(
    (word) => word.length >= shortestWord && typed.includes(word) && typed.replaceAll(word, "").length < shortestRest,
  );
}

/** Throws validation_failed for one of some 18,000 passwords that attackers try first. Source: ASVS 6.2.4. */
export function refuseCommonPassword(password: string, email: string): void {
  common ??= new Set(dictionary["passwords-common"].filter((word) => word.length >= passwordMinLength).map((word) => word.toLowerCase()));
  if (common.has(password.toLowerCase()) || isContextWord(password, email))
    throw new AppError("validation_failed", { fields: { password: "This password is too common. Please choose another one." } });
}
