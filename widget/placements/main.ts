import type { PlacedPost } from "#contract/releases.ts";
import { needsSelector } from "#contract/rules/placement.ts";
import { isWeb } from "../data.ts";
import { drawing, element, elsewhere } from "../element.ts";
import type { Told, View } from "../view.ts";
import { styleOf } from "../more/add-style.ts";
import { inFlow } from "../more/in-flow.ts";
import type { readPost } from "../more/read-post.ts";
import { duePlacement } from "./due-placement.ts";
import css from "./placements.css?inline";

const pollMs = 500;
const addStyle = styleOf(css);

/** A page shows one placement, also with several widgets. */
let isTaken = false;

/** Shows the first due placement once nothing is in its way. False if none is due, also later on this page. */
export function showPlacement(told: Told, view: View, read: typeof readPost): boolean {
  const { data, signal, workspace } = told;
  const due = (posts: readonly PlacedPost[]) => duePlacement(posts, closedIn(workspace), Date.now());
  if (!due(data.placed)) return false;
  addStyle(view.root.getRootNode() as ShadowRoot);
  const timer = setInterval(attempt, pollMs);
  signal.addEventListener("abort", () => clearInterval(timer));
  attempt();
  return true;

  function attempt(): void {
    const post =
      isTaken || isBusy() || view.isOpen() ? undefined : due(data.placed.filter(({ placement }) => targetOf(placement) !== null));
    if (!post) return;
    clearInterval(timer);
    show(post, told, view, read);
  }
}

function show(post: PlacedPost, told: Told, view: View, read: typeof readPost): void {
  const { surface, push, again } = post.placement!;
  const { data, workspace, signal } = told;
  const { root } = view;
  const { words } = data;
  const ended = new AbortController();
  const isModal = surface === "modal";
  const target = targetOf(post.placement) ?? document.body;
  const flow = surface === "inline" || push ? inFlow(target, root, push) : null;
  const count = (what: string): void => void (again !== 0 && told.count(`${post.slug}.${what}`));

  const title = element("a", { href: post.url }, post.title);
  const closer = element("button", { class: "close", "aria-label": words.close }, drawing("M5 5l14 14M19 5L5 19"));
  const button =
    post.button && isWeb(post.button.url) ? element("a", { class: "go", href: post.button.url, lang: "" }, post.button.text) : "";
  const content = [
    element(
      "div",
      {},
      element("h2", isModal ? { id: "placed", lang: "", tabindex: "-1", autofocus: "" } : { id: "placed", lang: "" }, title),
      post.excerpt ? element("p", { lang: "" }, post.excerpt) : "",
    ),
    button,
    closer,
  ];
  const role: Record<string, string> = isModal ? {} : { role: "region", "aria-live": "polite" };
  const box = element(isModal ? "dialog" : "div", { class: `placed ${surface}`, "aria-labelledby": "placed", ...role });
  const ring = element("div", { class: "ring" });

  let before: Element | null = null;
  const end = (what: "dismissed" | "clicked") => {
    const hadFocus = box.contains((box.getRootNode() as ShadowRoot).activeElement);
    rememberClosed(workspace, post.id);
    count(what);
    ended.abort();
    if (hadFocus) (before as HTMLElement | null)?.focus({ preventScroll: true });
  };
  closer.onclick = () => end("dismissed");
  if (button) button.onclick = () => setTimeout(() => end("clicked")); // after the link is followed
  title.onclick = (event) => {
    if (elsewhere(event)) return;
    view.open(true);
    const link = root.querySelector<HTMLElement>("ul.posts a");
    if (link) {
      event.preventDefault();
      read(post, link, words, told);
    }
    setTimeout(() => end("clicked"));
  };
  box.addEventListener("focusin", (event) => {
    const { relatedTarget } = event as FocusEvent;
    if (!box.contains(relatedTarget as Node | null)) before = relatedTarget as Element | null;
  });

  isTaken = true;
  (flow ?? root).prepend(box, ...(surface === "spotlight" ? [ring] : []));
  if (isModal) {
    box.append(...content);
    box.oncancel = (event) => {
      event.preventDefault();
      end("dismissed");
    };
    box.onclick = ({ target: clicked }) => clicked === box && end("dismissed"); // outside
    before = document.activeElement;
    (box as HTMLDialogElement).showModal();
  } else {
    follow(); // before it is painted
    requestAnimationFrame(() => {
      box.append(...content); // live regions announce additions
      follow();
    });
    const options = { signal: ended.signal, passive: true };
    document.addEventListener("keydown", onKey, options);
    for (const event of ["scroll", "resize"]) addEventListener(event, follow, { ...options, capture: true });
  }
  const timer = setInterval(follow, pollMs);
  ended.signal.addEventListener("abort", () => {
    isTaken = false;
    clearInterval(timer);
    [box, ring].forEach((one) => one.remove());
    if (flow) (flow.getRootNode() as ShadowRoot).host.remove();
    root.style.removeProperty("--lift");
  });
  signal.addEventListener("abort", () => ended.abort());
  count("shown");

  /** Makes room for the host's own dialogs, and stays at the element or clear of the launcher. */
  function follow(): void {
    if (isModal) return;
    const { top, bottom, left, width, height } = target.getBoundingClientRect();
    const isGone = surface === "spotlight" && (!target.getClientRects().length || bottom < 0 || top > innerHeight);
    box.hidden = ring.hidden = isGone || isBusy() || view.isOpen();
    if (surface === "banner-bottom" || (surface === "banner-top" && !push)) root.style.setProperty("--lift", `${box.offsetHeight}px`);
    if (surface !== "spotlight") return;
    Object.assign(ring.style, { top: `${top - 4}px`, left: `${left - 4}px`, width: `${width + 8}px`, height: `${height + 8}px` });
    const isBelow = bottom + box.offsetHeight + 24 < innerHeight;
    const side = Math.max(8, Math.min(left, document.documentElement.clientWidth - box.offsetWidth - 8));
    Object.assign(box.style, { top: `${isBelow ? bottom + 12 : Math.max(8, top - box.offsetHeight - 12)}px`, left: `${side}px` });
  }

  function onKey(event: KeyboardEvent): void {
    const isOurs = surface !== "inline" || box.contains((box.getRootNode() as ShadowRoot).activeElement);
    const isPanels = event.composedPath().some((node) => (node as Element).classList?.contains("panel"));
    if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing && isOurs && !isPanels) end("dismissed");
  }
}

/** null: the element isn't there. */
function targetOf(placement: PlacedPost["placement"]): Element | null {
  if (placement === null || !needsSelector(placement.surface)) return document.body;
  try {
    const found = document.querySelector(placement.selector!);
    return placement.surface === "inline" || found?.getClientRects().length ? found : null;
  } catch {
    return null; // invalid selector
  }
}

/** True while the page shows a dialog of its own, or something in full screen. */
const isBusy = (): boolean =>
  document.fullscreenElement !== null ||
  [...document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]")].some(
    (dialog) => dialog.getClientRects().length > 0 && getComputedStyle(dialog).visibility === "visible",
  );

const keyOf = (workspace: string): string => `tc:widget:${workspace}:closed`;
const closedTimes = (storage: Storage, workspace: string) =>
  JSON.parse((storage[keyOf(workspace)] as string | undefined) ?? "{}") as Record<string, number>;

/** Without storage, everything counts as closed. */
const closedIn =
  (workspace: string) =>
  ({ id }: PlacedPost, inSession: boolean): number | undefined => {
    try {
      return closedTimes(inSession ? sessionStorage : localStorage, workspace)[id];
    } catch {
      return Infinity;
    }
  };

function rememberClosed(workspace: string, id: string): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      storage[keyOf(workspace)] = JSON.stringify({ ...closedTimes(storage, workspace), [id]: Date.now() });
  } catch {}
}
