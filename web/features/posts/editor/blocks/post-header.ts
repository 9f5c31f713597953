import Header from "@editorjs/header";

/** A heading keeps its line breaks: without them the words before and behind one would run together when it is saved. */
export class PostHeader extends Header {
  static get sanitize() {
    return { level: false, text: { br: true } };
  }
}
