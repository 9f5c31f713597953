import { useEffect, useState } from "react";
import { useOverlayOpen } from "./dialog-queue.ts";

interface Place {
  element: HTMLElement;
  /** Pointer presses don't scroll the page or move focus into a text field. */
  byPointer: boolean;
  /** Ancestors, nearest first, up to the dialog or the page's main part. */
  around: HTMLElement[];
  /** Other focusable elements after and before it, nearest first. */
  next: HTMLElement[];
  former: HTMLElement[];
  /** Only in editable text: fields keep theirs. */
  caret?: Range;
  /** For an element in a dialog: the focus before that dialog. */
  outer?: Place;
}

const focusable =
  ':is(a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]):not([tabindex="-1"])';
/** Grace period in which the page may set the focus itself. */
const pageDecidesMs = 50;
const openDialogs: (Place | null)[] = [];

/** Returns focus, and the caret, when a dialog or panel unmounts. If the element is gone or disappears later, the nearest one gets it, never the body. */
export function useReturnFocus(): void {
  const [before] = useState(() => place());
  useOverlayOpen();
  useEffect(() => {
    openDialogs.push(before);
    return () => {
      openDialogs.splice(openDialogs.lastIndexOf(before), 1);
      if (before === null || !isNowhere()) return;
      restoreFocus(before);
      watch(before);
    };
  }, [before]);
}

/** Focus fallback for a pressed button that disappears: the nearest control, in a list the same button of the next row. `press` overrides the focused element. */
export function keepFocus(press?: { currentTarget: HTMLElement; detail: number }): void {
  const before = place(press !== undefined && press.detail > 0);
  if (!before) return;
  watch(before);
  ignoreRepeat(press?.currentTarget ?? before.element);
}

/** Returns focus to the page from a toast's button, never to another toast. Race: sonner restores focus on blur, so blur first. */
export function leaveToast(button: HTMLElement, detail: number): void {
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
    outer: dialog ? (openDialogs.at(-1) ?? undefined) : undefined,
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

function restoreFocus(before: Place): void {
  const { element, around, caret, outer } = before;
  if (element.isConnected) {
    element.focus({ preventScroll: true });
    if (caret?.startContainer.isConnected) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(caret);
    }
    return;
  }
  if (around.some((near, level) => near.isConnected && focusNear(before, near, around[level - 1] ?? element))) return;
  if (outer) return restoreFocus(outer);
  focusPage();
}

function focusPage(): void {
  const main = document.querySelector("main");
  if (!main) return;
  if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/** Tries to move focus within `near`, which lost `gone`: to siblings or a replacement. True on success. */
function focusNear({ element, byPointer, next, former }: Place, near: HTMLElement, removed: HTMLElement): boolean {
  const beside = [...next, ...former].filter((one) => near.contains(one));
  const alike = [...near.children].filter((child) => isAlike(child, removed));
  const row = alike.find((child) => beside[0] && child.contains(beside[0]));
  const same = row && within(row).at(-1 - next.filter((one) => removed.contains(one)).length);
  const replacement = row ? undefined : alike.flatMap(within).find((one) => hasSameLabel(one, element));
  return [same, replacement, ...beside, ...alike.flatMap(within), ...within(near)].some((one) => {
    if (!one || (byPointer && takesText(one))) return false;
    one.focus({ preventScroll: byPointer });
    return document.activeElement === one;
  });
}

const within = (part: Element): HTMLElement[] =>
  part.matches(focusable) ? [part as HTMLElement] : [...part.querySelectorAll<HTMLElement>(focusable)];
/** Two rows of a list, or a part before and after a rerender. */
const isAlike = (one: Element, other: Element): boolean => one.tagName === other.tagName && one.classList[0] === other.classList[0];

const hasSameLabel = (one: HTMLElement, other: HTMLElement): boolean =>
  one.ariaLabel === other.ariaLabel && one.textContent === other.textContent;
const takesText = (one: HTMLElement): boolean =>
  one.matches('textarea, input:not([type="checkbox"], [type="radio"])') || one.isContentEditable;

let stopWatching = (): void => undefined;

/** Watches until the next input: the newly focused element may disappear too, however late. */
function watch(before: Place): void {
  stopWatching();
  let due: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    due = undefined;
    if (!before.element.isConnected && isNowhere()) restoreFocus(before);
  };
  const observer = new MutationObserver(() => (due ??= setTimeout(check, pageDecidesMs)));
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

/** Blocks key repeat from pressing the newly focused element. */
function ignoreRepeat(pressed: HTMLElement): void {
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
