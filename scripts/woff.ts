import { inflateSync } from "node:zlib";

function tableOf(woff: Buffer, name: string): Buffer | null {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("this isn't a WOFF file");
  for (let at = 44; at < 44 + woff.readUInt16BE(12) * 20; at += 20) {
    if (woff.toString("latin1", at, at + 4) !== name) continue;
    const [offset, packed, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    return packed < length ? inflateSync(bytes) : bytes;
  }
  return null;
}

/** Characters with a glyph in a segment of format 4; glyph 0 is the missing-glyph box. */
function* charactersOfSegment(table: Buffer, segment: number, segments: number): Generator<number> {
  const ends = 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  const at = (base: number) => table.readUInt16BE(base + segment * 2);
  for (let code = at(starts); code <= at(ends) && code < 0xffff; code += 1) {
    const offset = at(offsets);
    const place = offsets + segment * 2 + offset + (code - at(starts)) * 2;
    const glyph = offset === 0 ? code : table.readUInt16BE(place);
    if (glyph !== 0 && ((glyph + at(deltas)) & 0xffff) !== 0) yield code;
  }
}

function charactersOf(cmap: Buffer): Set<number> {
  const found = new Set<number>();
  for (let record = 4; record < 4 + cmap.readUInt16BE(2) * 8; record += 8) {
    const table = cmap.subarray(cmap.readUInt32BE(record + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) {
      const segments = table.readUInt16BE(6) / 2;
      for (let segment = 0; segment < segments; segment += 1)
        for (const code of charactersOfSegment(table, segment, segments)) found.add(code);
    } else if (format === 12) {
      for (let group = 16; group < 16 + table.readUInt32BE(12) * 12; group += 12)
        for (let code = table.readUInt32BE(group); code <= table.readUInt32BE(group + 4); code += 1) found.add(code);
    }
  }
  return found;
}

/** Characters of a font as hexadecimal ranges: `20-7e a0-ff`. */
export function rangesOf(woff: Buffer): string {
  const cmap = tableOf(woff, "cmap");
  if (cmap === null) throw new Error("a font without characters");
  const codes = [...charactersOf(cmap)].toSorted((one, other) => one - other);
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([first, last]) => (first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`)).join(" ");
}
