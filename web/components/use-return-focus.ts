import { useEffect, useState } from "react";

/** For what covers the page: when it goes, the focus returns to where it was, in a text to the same letter, unless it went on by itself. */
export function useReturnFocus(): void {
  const [before] = useState(place);
  useEffect(
    () => () => {
      if (!before?.element.isConnected || (document.activeElement ?? document.body) !== document.body) return;
      before.element.focus({ preventScroll: true });
      if (before.caret?.startContainer.isConnected) {
        getSelection()?.removeAllRanges();
        getSelection()?.addRange(before.caret);
      }
    },
    [before],
  );
}

interface Place {
  element: HTMLElement;
  /** Only in an editable text: fields keep theirs themselves. */
  caret?: Range;
}

function place(): Place | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const selection = getSelection();
  const inside = element.isContentEditable && selection?.rangeCount && element.contains(selection.anchorNode);
  return { element, caret: inside ? selection.getRangeAt(0).cloneRange() : undefined };
}
