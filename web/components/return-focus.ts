import { useEffect, useState } from "react";

/** Where the focus was when a dialog covered it. */
interface Place {
  element: HTMLElement;
  /** What it stood in, the nearest first, up to the page's own part. */
  around: HTMLElement[];
  /** Only in an editable text: fields keep theirs themselves. */
  caret?: Range;
  /** Of one in another dialog: where the focus was before that. */
  outer?: Place;
}

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
/** So long after a dialog, or a press, what had the focus may still go away: a list is read again after one of its rows was removed. Milliseconds. */
const settlesWithinMs = 5_000;
/** Of the dialogs that are open, the last one opened last. */
const open: (Place | null)[] = [];

/**
 * For what covers the page: when it goes, the focus returns to where it was, in a text to the same letter, unless it went on by itself. Where that
 * is there no more, or goes soon after, to what is nearest to it: never to nothing, from where the keyboard begins at the top of the page.
 */
export function useReturnFocus(): void {
  const [before] = useState(place);
  useEffect(() => {
    open.push(before);
    return () => {
      open.splice(open.lastIndexOf(before), 1);
      if (before === null || !isNowhere()) return;
      giveBack(before);
      if (document.activeElement === before.element) watch(before);
    };
  }, [before]);
}

/** For a button without a dialog that takes itself away, once it was pressed: what is nearest to it has the focus then. */
export function keepFocus(): void {
  const pressed = place();
  if (pressed) watch(pressed);
}

const isNowhere = (): boolean => (document.activeElement ?? document.body) === document.body;

function place(): Place | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const selection = getSelection();
  const inside = element.isContentEditable && selection?.rangeCount && element.contains(selection.anchorNode);
  return {
    element,
    around: ancestorsOf(element),
    caret: inside ? selection.getRangeAt(0).cloneRange() : undefined,
    outer: element.closest('[role="dialog"]') ? (open.at(-1) ?? undefined) : undefined,
  };
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const around: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== document.body && at.tagName !== "MAIN"; at = at.parentElement) around.push(at);
  return around;
}

function giveBack({ element, around, caret, outer }: Place): void {
  if (element.isConnected) {
    element.focus({ preventScroll: true });
    if (caret?.startContainer.isConnected) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(caret);
    }
    return;
  }
  if (outer) return giveBack(outer);
  for (const near of around) {
    const next = near.isConnected ? near.querySelector<HTMLElement>(focusable) : null;
    next?.focus();
    if (next && document.activeElement === next) return;
  }
  const main = document.querySelector("main");
  if (!main) return;
  if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/** Until the focus has gone on or the page has settled: whatever it was given back to may go. */
function watch(before: Place): void {
  const observer = new MutationObserver(() => {
    if (before.element.isConnected) return;
    end();
    if (isNowhere()) giveBack(before);
  });
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener("focusin", end);
  };
  const timer = setTimeout(end, settlesWithinMs);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", end);
}
