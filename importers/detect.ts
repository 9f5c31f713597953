import { adapters } from "./adapters/all.ts";
import { csvHead, isCsv, missingColumn } from "./files/csv-columns.ts";
import { type Adapter, ImportProblem, type ImportSource, type SourceFile } from "./entry.ts";
import { jsonValues } from "./files/json.ts";
import { beginning, binaryKind, called } from "./files/text.ts";

export function adapterFor(files: readonly SourceFile[], all: readonly Adapter[] = adapters): Adapter | null {
  let best: { adapter: Adapter; sure: number } | null = null;
  for (const adapter of all) {
    const sure = adapter.recognizes(files);
    if (sure > (best?.sure ?? 0)) best = { adapter, sure };
  }
  return best?.adapter ?? null;
}

const texts: readonly Adapter["source"][] = ["markdown", "changelog"];

/** Error message when no adapter reads all chosen files; null otherwise. A Markdown folder can contain anything. */
export function mixedFiles(adapter: Adapter, files: readonly SourceFile[], all: readonly Adapter[] = adapters): string | null {
  const isTexts = texts.includes(adapter.source);
  if (files.length < 2 || (isTexts && files.some(({ name }) => name.includes("/")))) return null;
  const kindOf = (file: SourceFile) => adapterFor([file], all);
  const isOther = (file: SourceFile): boolean =>
    isTexts ? !texts.includes(kindOf(file)?.source ?? "markdown") : adapter.recognizes([file]) === 0 && kindOf(file) !== null;
  const other = files.find(isOther);
  const own = files.find((file) => !isOther(file));
  if (other === undefined || own === undefined) return null;
  return `${called(own)} and ${called(other)} are of different kinds. Please import them one after the other`;
}

const readable = "a CHANGELOG.md, GitHub’s releases, a feed, Markdown files or a zip of them, or another product’s export";

function jsonProblem(file: SourceFile): string | null {
  try {
    jsonValues(file);
    return null;
  } catch (error) {
    if (error instanceof ImportProblem) return error.message;
    throw error;
  }
}

export function unknownFiles(files: readonly SourceFile[]): string {
  const [file] = files;
  if (file === undefined) return "No file was chosen";
  const which = files.length === 1 ? "We can't import this file" : "We can't import these files";
  const empty = files.find(({ bytes }) => bytes.length === 0);
  if (empty !== undefined) return `${which}: ${called(empty)} is empty`;
  const binary = files.find(({ bytes }) => binaryKind(bytes) !== null);
  if (binary !== undefined) return `${which}: ${called(binary)} is ${binaryKind(binary.bytes)}`;
  const missing = isCsv(file) ? missingColumn(csvHead(file)) : null;
  if (missing !== null) return `${which}: ${called(file)} ${missing}`;
  const start = beginning(file);
  const isJson = /^\s*[[{]/.test(start);
  const broken = isJson ? jsonProblem(file) : null;
  if (broken !== null) return broken;
  const what = isJson
    ? "JSON from a product we don't support"
    : /^\s*<(?:!doctype|html)/i.test(start)
      ? "a web page, not a feed or an export"
      : null;
  if (what !== null) return `${which}: ${called(file)} is ${what}`;
  return `${which}: ${called(file)} isn't from a product we support. Please choose ${readable}`;
}

export function findAdapter(files: readonly SourceFile[], source: ImportSource | undefined): Adapter {
  const adapter = source === undefined ? adapterFor(files) : adapters.find((one) => one.source === source);
  if (!adapter) throw new ImportProblem(unknownFiles(files));
  const mixed = source === undefined ? mixedFiles(adapter, files) : null;
  if (mixed !== null) throw new ImportProblem(mixed);
  return adapter;
}
