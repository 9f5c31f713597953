import { adapters } from "./adapters/all.ts";
import { csvHead, isCsv, missingColumn } from "./files/csv-columns.ts";
import { type Adapter, ImportProblem, type ImportSource, type SourceFile } from "./entry.ts";
import { jsonValues } from "./files/json.ts";
import { beginning, binaryKind, called } from "./files/text.ts";

/** The adapter that is surest that these are its files; null when none can be. */
export function adapterFor(files: readonly SourceFile[], all: readonly Adapter[] = adapters): Adapter | null {
  let best: { adapter: Adapter; sure: number } | null = null;
  for (const adapter of all) {
    const sure = adapter.recognizes(files);
    if (sure > (best?.sure ?? 0)) best = { adapter, sure };
  }
  return best?.adapter ?? null;
}

const texts: readonly Adapter["source"][] = ["markdown", "changelog"];

/** That files were chosen together that nothing reads together, a sentence; null where one adapter takes all. A folder of Markdown may hold anything. */
export function mixedFiles(adapter: Adapter, files: readonly SourceFile[], all: readonly Adapter[] = adapters): string | null {
  const isTexts = texts.includes(adapter.source);
  if (files.length < 2 || (isTexts && files.some(({ name }) => name.includes("/")))) return null;
  const kindOf = (file: SourceFile) => adapterFor([file], all);
  const isOther = (file: SourceFile): boolean =>
    isTexts ? !texts.includes(kindOf(file)?.source ?? "markdown") : adapter.recognizes([file]) === 0 && kindOf(file) !== null;
  const other = files.find(isOther);
  const own = files.find((file) => !isOther(file));
  if (other === undefined || own === undefined) return null;
  return `${called(own)} and ${called(other)} are of different kinds. Please choose those of one kind, import them, and then the others`;
}

const readable = "a CHANGELOG.md, GitHub’s releases, a feed, Markdown files or a zip of them, or what another product’s export has made";

/** A sentence that says why a file that looks like JSON isn't valid. */
function jsonProblem(file: SourceFile): string | null {
  try {
    jsonValues(file);
    return null;
  } catch (error) {
    if (error instanceof ImportProblem) return error.message;
    throw error;
  }
}

/** Why files are none that can be read here, as a sentence. */
export function unknownFiles(files: readonly SourceFile[]): string {
  const [file] = files;
  if (file === undefined) return "There is no file";
  const which = files.length === 1 ? "This file is none" : "These files are none";
  const empty = files.find(({ bytes }) => bytes.length === 0);
  if (empty !== undefined) return `${which} that can be read here: ${called(empty)} is empty`;
  const binary = files.find(({ bytes }) => binaryKind(bytes) !== null);
  if (binary !== undefined) return `${which} that can be read here: ${called(binary)} is ${binaryKind(binary.bytes)}`;
  const missing = isCsv(file) ? missingColumn(csvHead(file)) : null;
  if (missing !== null) return `${which} that can be read here: ${called(file)} ${missing}`;
  const start = beginning(file);
  const isJson = /^\s*[[{]/.test(start);
  const broken = isJson ? jsonProblem(file) : null;
  if (broken !== null) return broken;
  const what = isJson
    ? "JSON of no product that is known here"
    : /^\s*<(?:!doctype|html)/i.test(start)
      ? "a web page, not its feed or an export"
      : null;
  if (what !== null) return `${which} that can be read here: ${called(file)} is ${what}`;
  return `${which} that can be read here: ${called(file)} is of no product that is known here. Please choose ${readable}`;
}

/** The adapter of the source that was asked, else the one that knows the files best. Throws an ImportProblem where none reads all of them. */
export function findAdapter(files: readonly SourceFile[], source: ImportSource | undefined): Adapter {
  const adapter = source === undefined ? adapterFor(files) : adapters.find((one) => one.source === source);
  if (!adapter) throw new ImportProblem(unknownFiles(files));
  const mixed = source === undefined ? mixedFiles(adapter, files) : null;
  if (mixed !== null) throw new ImportProblem(mixed);
  return adapter;
}
