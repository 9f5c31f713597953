/** Image without metadata (location, camera, comments, trailing data). */
export interface Picture {
  bytes: Uint8Array;
  /** Pixels as displayed, after rotation. */
  width: number;
  height: number;
  /** Animation frames; 1 for still images. */
  frames: number;
}

/**
 * Parses one format in a single pass and drops metadata by allow-list, so unknown metadata goes too; colour profiles stay. null or
 * RangeError for invalid files.
 */
export type ReadPicture = (file: Uint8Array) => Picture | null;
