import type { WidgetData } from "#contract/releases.ts";
import { isWeb } from "../data.ts";
import { element } from "../element.ts";
import { postItem } from "../post-item.ts";
import type { Told, View } from "../view.ts";
import { identified } from "./identified.ts";
import { inFlow } from "./in-flow.ts";
import { loadPlacements } from "./load-placements.ts";
import { addStyle, readPost } from "./read-post.ts";

export { identified, readPost };

/** Styles, and the link to what is newer than the reader's version. */
export function prepare(root: ShadowRoot, { changes_url: href }: WidgetData): void {
  addStyle(root);
  const line = root.querySelector(".head p");
  if (line && isWeb(href) && !line.firstElementChild) line.replaceChildren(element("a", { href }, line.textContent));
}

/** Shows the list in the page's element, and a placement. False: nothing is shown outside the panel. */
export async function start(told: Told, view: View): Promise<boolean> {
  const { data, into, origin, signal } = told;
  addStyle(view.root.getRootNode() as ShadowRoot);
  const place = into ? document.querySelector(into) : null;
  if (place) {
    const read = async (post: Parameters<typeof readPost>[0], link: HTMLElement) => readPost(post, link, data.words, told);
    const list = inFlow(place, view.root, false);
    list.append(
      data.posts.length
        ? element("ul", { class: "posts" }, ...data.posts.map((post) => postItem(post, data.words.days, read)))
        : element("p", { class: "none" }, data.words.none),
    );
    signal.addEventListener("abort", () => (list.getRootNode() as ShadowRoot).host.remove());
  }
  if (!data.placed?.[0]) return place !== null;
  const { showPlacement } = await loadPlacements(origin);
  return showPlacement(told, view, readPost) || place !== null;
}
