/** A dotenv line that every parser reads literally, or null: the value must be one line without one kind of quotes. */
export function dotenvLine(name: string, value: string): string | null {
  if (/[\r\n]/.test(value)) return null;
  const quote = ["'", "`"].find((kind) => !value.includes(kind)) ?? (/["\\$]/.test(value) ? undefined : '"');
  return quote === undefined ? null : `${name}=${quote}${value}${quote}\n`;
}
