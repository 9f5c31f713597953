import { loadFile } from "../load-file.ts";

/** The third file; release-files.ts inserts its address and hash. */
export const loadPlacements = (origin: string): Promise<typeof import("../placements/main.ts")> =>
  loadFile(`${origin}PLACEMENTS_FILE`, "sha256-PLACEMENTS_SHA256");
