import { loadFile } from "./load-file.ts";

type More = typeof import("./more/main.ts");

let loading: Promise<More> | undefined;

/** The second file; release-files.ts inserts its address and hash. Another call tries a failed one again. */
export function loadMore(origin: string): Promise<More> {
  return (loading ??= loadFile<More>(`${origin}MORE_FILE`, "sha256-MORE_SHA256").catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));
}
