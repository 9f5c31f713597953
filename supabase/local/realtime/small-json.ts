/** Limits of a presence state: characters of JSON and nesting. A seal has 6,000 characters at most. */
const most = { characters: 8_192, levels: 10 };

/** The value as JSON, or null if it's too long or too deep to serialize safely. */
export function jsonOfSmall(value: unknown): string | null {
  if (!isWithin(value, most.levels)) return null;
  const json = JSON.stringify(value);
  return json.length <= most.characters ? json : null;
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" || value === null || (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));
