import { adapters } from "#importers/adapters/all.ts";
import { adapterFor, mixedFiles, unknownFiles } from "#importers/detect.ts";
import { type Adapter, ImportProblem, type ImportSource, type SourceFile } from "#importers/entry.ts";

/** The adapter that reads some files: that of the source that was asked, else the one that knows them best. Throws an ImportProblem where none does, or not all of them. */
export function findAdapter(files: readonly SourceFile[], source: ImportSource | undefined): Adapter {
  const adapter = source === undefined ? adapterFor(files) : adapters.find((one) => one.source === source);
  if (!adapter) throw new ImportProblem(unknownFiles(files));
  const mixed = source === undefined ? mixedFiles(adapter, files) : null;
  if (mixed !== null) throw new ImportProblem(mixed);
  return adapter;
}
