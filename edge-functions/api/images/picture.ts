export interface Picture {
  bytes: Uint8Array;
  width: number;
  height: number;
  frames: number;
}

/** Parses one format in a single pass and keeps metadata by allow-list: colour profiles. null or RangeError for invalid files. */
export type ReadPicture = (file: Uint8Array) => Picture | null;
