import { shorten } from "#contract/blocks/excerpt.ts";
import { importNameMaxLength } from "#contract/limits.ts";

export const importName = (name: string): string => shorten(name, importNameMaxLength - 1); // room for the ellipsis

/** Host and path only: query and credentials can hold secrets, and names appear in the audit log. */
export const nameOfAddress = (address: string): string =>
  address
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/+/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/^[^/]*@/, "")
    .replace(/\/+$/, "");
