import Marker from "@editorjs/marker";

/** Editor.js drops marks without a tool on save: keeps those of pasted and API content. */
export class PostMarker extends Marker {
  static override get sanitize(): Record<string, object> {
    return { ...super.sanitize, u: {}, strong: {}, em: {}, sup: {}, sub: {} };
  }
}
