import { Inflate } from "fflate";
import { ImportProblem } from "../entry.ts";
import { figure } from "#contract/rules/figure.ts";

interface ArchiveLimits {
  files: number;
  bytes: number;
}

/** Unpacked sizes, counted while unpacking (zip bombs). */
export const archiveLimits: ArchiveLimits = { files: 5_000, bytes: 200 * 1_048_576 };

export interface Budget {
  called: string;
  left: number;
  of: number;
}
export const budgetOf = (called: string, { bytes }: ArchiveLimits = archiveLimits): Budget => ({ called, left: bytes, of: bytes });

export interface ZippedFile {
  name: string;
  bytes(): Uint8Array;
}

const signatures = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 };
const endLength = 22;
const mostComment = 65_535;
const isLink = (attributes: number): boolean => ((attributes >>> 16) & 0xf000) === 0xa000;

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

function nameFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 79).replace(/[\ud800-\udbff]$/, "")}…` : name);

/** Rejects unsafe paths (zip slip); null if safe. */
function nameProblem(name: string): string | null {
  if (name.startsWith("/") || /^[a-z]:/i.test(name) || name.split("/").includes("..")) return `lies outside of it: ${shown(name)}`;
  if (name.includes("\\")) return `has a backslash in its name: ${shown(name)}`;
  return null;
}

const damaged = (what: string): ImportProblem => new ImportProblem(`${what} is damaged: please pack it again`);

/** Lists the central directory without unpacking. `called` names the zip in messages; a nested zip shares the outer `budget`. */
export function filesOfZip(
  bytes: Uint8Array,
  called: string,
  limits: ArchiveLimits = archiveLimits,
  budget: Budget = budgetOf(called, limits),
): ZippedFile[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - endLength;
  const first = Math.max(0, end - mostComment);
  while (end >= first && view.getUint32(end, true) !== signatures.end) end--;
  if (end < first || bytes.length < endLength) throw damaged(called);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new ImportProblem(`${called} is too large`);
  if (count > limits.files * 3) throw tooMany(called, limits);
  const files: ZippedFile[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== signatures.entry) throw damaged(called);
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const attributes = view.getUint32(at + 38, true);
    const offset = view.getUint32(at + 42, true);
    const name = nameFrom(bytes.subarray(at + 46, at + 46 + nameLength));
    at += 46 + nameLength + extraLength + commentLength;
    const problem = nameProblem(name);
    if (problem !== null) throw new ImportProblem(`A file in ${called} ${problem}`);
    if (isLink(attributes)) throw new ImportProblem(`A file in ${called} is a link to another one: ${shown(name)}`);
    if (name.endsWith("/")) continue;
    if ((flags & 1) !== 0) throw new ImportProblem(`${called} is encrypted: please pack it without a password`);
    if (files.length === limits.files) throw tooMany(called, limits);
    files.push({
      name,
      bytes: () => {
        const start =
          offset + 30 + (offset + 30 <= bytes.length ? view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true) : 0);
        if (start + packed > bytes.length || view.getUint32(offset, true) !== signatures.file) throw damaged(`${shown(name)} in ${called}`);
        const content = bytes.subarray(start, start + packed);
        if (method === 0) return spent(content, budget);
        if (method !== 8) throw new ImportProblem(`${shown(name)} in ${called} uses an unsupported compression`);
        return inflated(content, budget, called, name);
      },
    });
  }
  return files;
}

const tooMany = (called: string, limits: ArchiveLimits): ImportProblem =>
  new ImportProblem(`${called} has more than ${figure(limits.files)} files in it`);

function spent(chunk: Uint8Array, budget: Budget): Uint8Array {
  budget.left -= chunk.length;
  if (budget.left < 0) throw new ImportProblem(`${budget.called} is larger than ${budget.of / 1_048_576} MB when it is unpacked`);
  return chunk;
}

/** Chunk of compressed bytes between budget checks; expands at most a thousand times. */
const step = 16_384;

function inflated(content: Uint8Array, budget: Budget, called: string, name: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const inflate = new Inflate((chunk, final) => {
    chunks.push(spent(chunk, budget));
    length += chunk.length;
    isWhole ||= final;
  });
  try {
    for (let at = 0; at < content.length; at += step) inflate.push(content.subarray(at, at + step), at + step >= content.length);
  } catch (cause) {
    if (cause instanceof ImportProblem) throw cause;
    throw damaged(`${shown(name)} in ${called}`);
  }
  if (!isWhole) throw damaged(`${shown(name)} in ${called}`);
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
