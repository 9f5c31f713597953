/** Of what a client gives to be kept and shown to others, in characters of JSON and levels of objects. A bridge's seal has 6,000 characters at most. */
const most = { characters: 8_192, levels: 10 };

/** As JSON what came as JSON, or null where it is long or deep: to write what is deep takes more of the stack than to read it. */
export function jsonOfSmall(value: unknown): string | null {
  if (!isWithin(value, most.levels)) return null;
  const json = JSON.stringify(value);
  return json.length <= most.characters ? json : null;
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" || value === null || (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));
