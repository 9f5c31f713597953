import { useEffect, useState } from "react";
import { useCovers } from "./covering.ts";

/** Where the focus was when a dialog covered it, or a button was pressed. */
interface Place {
  element: HTMLElement;
  /** Whether it was pressed by pointer: the page is not scrolled then, and no field gets what is typed next. */
  byPointer: boolean;
  /** What it stood in, the nearest first, up to its dialog or the page's own part. */
  around: HTMLElement[];
  /** What else could have the focus there: after it and before it, the nearest first. */
  next: HTMLElement[];
  former: HTMLElement[];
  /** Only in an editable text: fields keep theirs themselves. */
  caret?: Range;
  /** Of one in another dialog: where the focus was before that. */
  outer?: Place;
}

const focusable =
  ':is(a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]):not([tabindex="-1"])';
/** So long a page has to say itself where the focus goes. */
const pageDecidesMs = 50;
/** Of the dialogs that are open, the last one opened last. */
const open: (Place | null)[] = [];

/**
 * For what covers the page, or opens in it: when it goes, the focus returns to where it was, in a text to the same letter, unless it went on by
 * itself. Where that is there no more, or goes later, to what is nearest to it: never to nothing, from where the keyboard begins at the top of
 * the page.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => place());
  useCovers();
  useEffect(() => {
    open.push(before);
    return () => {
      open.splice(open.lastIndexOf(before), 1);
      if (before === null || !isNowhere()) return;
      giveBack(before);
      watch(before);
    };
  }, [before]);
}

/**
 * For a button that was pressed: should it go with that, what is nearest to it has the focus then, in a list the same button of the next row.
 * `press`: of a button that may have given the focus back to what had opened it.
 */
export function keepFocus(press?: { currentTarget: HTMLElement; detail: number }): void {
  const pressed = place(press !== undefined && press.detail > 0);
  if (!pressed) return;
  watch(pressed);
  pressOnce(press?.currentTarget ?? pressed.element);
}

/**
 * For the button of a message, which goes with the press: the focus returns to the page at once, not to another message, which goes soon, too. Blurred,
 * sonner gives it back to where it was.
 */
export function leaveMessage(button: HTMLElement, detail: number): void {
  button.blur();
  if (isNowhere()) focusPage();
  keepFocus({ currentTarget: button, detail });
}

const isNowhere = (): boolean => (document.activeElement ?? document.body) === document.body;

function place(byPointer = false): Place | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const dialog = element.closest<HTMLElement>('[role="dialog"]');
  const scope = dialog ?? element.closest("main") ?? document.body;
  const others = [...scope.querySelectorAll<HTMLElement>(focusable)];
  const lies = (where: number) => (other: HTMLElement) => element.compareDocumentPosition(other) & where;
  const selection = getSelection();
  const inside = element.isContentEditable && selection?.rangeCount && element.contains(selection.anchorNode);
  return {
    element,
    byPointer,
    around: ancestorsOf(element, dialog),
    next: others.filter(lies(Node.DOCUMENT_POSITION_FOLLOWING)),
    former: others.filter(lies(Node.DOCUMENT_POSITION_PRECEDING)).reverse(),
    caret: inside ? selection.getRangeAt(0).cloneRange() : undefined,
    outer: dialog ? (open.at(-1) ?? undefined) : undefined,
  };
}

function ancestorsOf(element: HTMLElement, dialog: HTMLElement | null): HTMLElement[] {
  const around: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== document.body && at.tagName !== "MAIN"; at = at.parentElement) {
    around.push(at);
    if (at === dialog) break;
  }
  return around;
}

function giveBack(before: Place): void {
  const { element, around, caret, outer } = before;
  if (element.isConnected) {
    element.focus({ preventScroll: true });
    if (caret?.startContainer.isConnected) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(caret);
    }
    return;
  }
  if (around.some((near, level) => near.isConnected && goOn(before, near, around[level - 1] ?? element))) return;
  if (outer) return giveBack(outer);
  focusPage();
}

function focusPage(): void {
  const main = document.querySelector("main");
  if (!main) return;
  if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/** Whether the focus could stay in `near`, which lost `gone`: with what stood beside it, or with what came in its place. */
function goOn({ element, byPointer, next, former }: Place, near: HTMLElement, gone: HTMLElement): boolean {
  const beside = [...next, ...former].filter((one) => near.contains(one));
  const alike = [...near.children].filter((child) => isAlike(child, gone));
  const row = alike.find((child) => beside[0] && child.contains(beside[0]));
  const same = row && within(row).at(-1 - next.filter((one) => gone.contains(one)).length);
  const anew = row ? undefined : alike.flatMap(within).find((one) => isTwin(one, element)); // the whole part was drawn anew
  return [same, anew, ...beside, ...alike.flatMap(within), ...within(near)].some((one) => {
    if (!one || (byPointer && takesText(one))) return false;
    one.focus({ preventScroll: byPointer });
    return document.activeElement === one;
  });
}

const within = (part: Element): HTMLElement[] =>
  part.matches(focusable) ? [part as HTMLElement] : [...part.querySelectorAll<HTMLElement>(focusable)];
/** Two rows of a list, or one part of a page before and after. */
const isAlike = (one: Element, other: Element): boolean => one.tagName === other.tagName && one.classList[0] === other.classList[0];

const isTwin = (one: HTMLElement, other: HTMLElement): boolean =>
  one.ariaLabel === other.ariaLabel && one.textContent === other.textContent;
const takesText = (one: HTMLElement): boolean =>
  one.matches('textarea, input:not([type="checkbox"], [type="radio"])') || one.isContentEditable;

let stopWatching = (): void => undefined;

/** Until the next input: whatever has the focus by then may go, too, however late an answer comes. */
function watch(before: Place): void {
  stopWatching();
  let due: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    due = undefined;
    if (!before.element.isConnected && isNowhere()) giveBack(before);
  };
  const observer = new MutationObserver(() => (due ??= setTimeout(look, pageDecidesMs)));
  const end = () => {
    observer.disconnect();
    clearTimeout(due);
    document.removeEventListener("keydown", onKeyDown);
    document.removeEventListener("pointerdown", end);
    document.removeEventListener("wheel", end);
  };
  const onKeyDown = ({ repeat }: KeyboardEvent) => repeat || end();
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("keydown", onKeyDown);
  document.addEventListener("pointerdown", end);
  document.addEventListener("wheel", end, { passive: true });
  stopWatching = end;
}

let release = (): void => undefined;

/** A key that is still held down does not press what has the focus next. */
function pressOnce(pressed: HTMLElement): void {
  release();
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat && event.target !== pressed) event.preventDefault();
    if (!event.repeat) release();
  };
  release = () => {
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("keyup", onKey, true);
  };
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("keyup", onKey, true);
}
