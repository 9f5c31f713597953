interface ProductVersion {
  numbers: number[];
  /** Identifiers after the hyphen, such as `rc.1`; none for a release. */
  before: string[];
}

export const versionShape = /^(\d{1,15}(?:\.\d{1,15}){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** A semantic (1.12.0-rc.1) or calendar version (2026.11) of up to four numbers; null for other texts. */
export function parseVersion(text: string): ProductVersion | null {
  const [, numbers, before] = versionShape.exec(text) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split(".").map(Number), before: before?.split(".") ?? [] };
}
