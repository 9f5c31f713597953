import { isMarked, selectedPiece, toggleMark } from "../marks.ts";
import { icon } from "./menu-entry.ts";

export class PostStrike {
  static get isInline() {
    return true;
  }

  static get title() {
    return "Strikethrough";
  }

  static get sanitize() {
    return { s: {} };
  }

  render() {
    return {
      icon: icon(
        '<path d="M4 12h16M17 7c-.6-1.9-2.4-3-5-3-2.8 0-4.7 1.4-4.7 3.6 0 .9.3 1.7.9 2.4M6.8 16.5c.6 2.1 2.6 3.5 5.3 3.5 2.9 0 4.9-1.5 4.9-3.8 0-.4-.1-.8-.2-1.2"/>',
      ),
      name: "strike",
      toggle: true,
      isActive: () => isSelectionStruck(),
      onActivate: () => {
        const piece = selectedPiece(document.body);
        if (piece) toggleMark(piece, "s");
      },
    };
  }
}

const isSelectionStruck = (): boolean => {
  const piece = selectedPiece(document.body);
  return piece !== null && isMarked(piece, "s");
};
