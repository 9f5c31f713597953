import { dictionary } from "@zxcvbn-ts/language-common";
import { passwordMinLength } from "#contract/limits.ts";
import { AppError } from "../../_shared/errors.ts";

let common: Set<string> | null = null;

/** Throws validation_failed for one of some 18,000 passwords that attackers try first. Source: ASVS 6.2.4. */
export function refuseCommonPassword(password: string): void {
  common ??= new Set(dictionary["passwords-common"].filter((word) => word.length >= passwordMinLength).map((word) => word.toLowerCase()));
  if (common.has(password.toLowerCase()))
    throw new AppError("validation_failed", { fields: { password: "This password is too common. Please choose another one." } });
}
