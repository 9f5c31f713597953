import { adapters } from "./adapters.ts";
import type { Adapter, SourceFile } from "./entry.ts";
import { beginning, binaryKind, called } from "./text.ts";

/** The adapter that is surest that these are its files; null when none can be. */
export function adapterFor(files: readonly SourceFile[], all: readonly Adapter[] = adapters): Adapter | null {
  let best: { adapter: Adapter; sure: number } | null = null;
  for (const adapter of all) {
    const sure = adapter.recognizes(files);
    if (sure > (best?.sure ?? 0)) best = { adapter, sure };
  }
  return best?.adapter ?? null;
}

const readable = "a CHANGELOG.md, GitHub’s releases, a feed, Markdown files or a zip of them, or what another product’s export has made";

/** Why files are none that can be read here, as a sentence. */
export function unknownFiles(files: readonly SourceFile[]): string {
  const [file] = files;
  if (file === undefined) return "There is no file";
  const which = files.length === 1 ? "This file is none" : "These files are none";
  const empty = files.find(({ bytes }) => bytes.length === 0);
  if (empty !== undefined) return `${which} that can be read here: ${called(empty)} is empty`;
  const binary = files.find(({ bytes }) => binaryKind(bytes) !== null);
  if (binary !== undefined) return `${which} that can be read here: ${called(binary)} is ${binaryKind(binary.bytes)}`;
  const start = beginning(file);
  const what = /^\s*[[{]/.test(start)
    ? "JSON of no product that is known here"
    : /^\s*<(?:!doctype|html)/i.test(start)
      ? "a web page, not its feed or an export"
      : null;
  if (what !== null) return `${which} that can be read here: ${called(file)} is ${what}`;
  return `${which} that can be read here: ${called(file)} is of no product that is known here. Please choose ${readable}`;
}
