const units = ["B", "kB", "MB", "GB", "TB"];

/** A size in bytes in the largest unit that fits: "12 MB". */
export function byteSize(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${size.toLocaleString(undefined, { maximumFractionDigits: size < 10 && power > 0 ? 1 : 0 })} ${units[power]!}`;
}
