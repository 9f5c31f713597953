import Marker from "@editorjs/marker";

/**
 * Editor.js forgets, when it saves, every mark that none of its tools makes. A text that was pasted or came over the API also has these,
 * which no button sets.
 */
export class PostMarker extends Marker {
  static override get sanitize(): Record<string, object> {
    return { ...super.sanitize, u: {}, strong: {}, em: {}, sup: {}, sub: {} };
  }
}
