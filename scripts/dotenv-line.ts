/**
 * A line of a dotenv file whose value every reader takes literally, or null when there is none: between quotes nothing is escaped, so the
 * value must lack one kind of them, and it must be one line.
 */
export function dotenvLine(name: string, value: string): string | null {
  if (/[\r\n]/.test(value)) return null;
  const quote = ["'", "`"].find((kind) => !value.includes(kind)) ?? (/["\\$]/.test(value) ? undefined : '"');
  return quote === undefined ? null : `${name}=${quote}${value}${quote}\n`;
}
