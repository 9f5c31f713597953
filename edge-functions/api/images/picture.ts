export interface Picture {
  bytes: Uint8Array;
  width: number;
  height: number;
  frames: number;
}

/**
 * Parses one format in a single pass and drops metadata by allow-list, so unknown metadata goes too; colour profiles stay. null or
 * RangeError for invalid files.
 */
export type ReadPicture = (file: Uint8Array) => Picture | null;
