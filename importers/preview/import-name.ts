import { shorten } from "#contract/blocks/excerpt.ts";
import { importNameMaxLength } from "#contract/limits.ts";

/** What an import is called: a feed's title can be a whole sentence. */
export const importName = (name: string): string => shorten(name, importNameMaxLength - 1); // and the sign that it was cut

/** An address as a name: its host and path. What follows may hold a secret, as a password before the host does, and names stand in the audit log. */
export const nameOfAddress = (address: string): string =>
  address
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/+/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/^[^/]*@/, "")
    .replace(/\/+$/, "");
