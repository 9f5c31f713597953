/** An image file that says nothing but the image: no place, no camera, no comment, nothing behind its end. */
export interface Picture {
  bytes: Uint8Array;
  /** Pixels, as browsers show the image: turned, where it says so. */
  width: number;
  height: number;
  /** Pictures of an animation; 1 for any other. */
  frames: number;
}

/**
 * Reads one format, in one walk over its parts. What is not needed to show the image is left out by an allow-list: new kinds of metadata
 * leave, too. Null, or a RangeError, for a file that is not built as its format says. Colour profiles stay.
 */
export type ReadPicture = (file: Uint8Array) => Picture | null;
