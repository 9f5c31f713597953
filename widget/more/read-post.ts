import type { WidgetData } from "#contract/releases.ts";
import type { Post } from "../data.ts";
import { element } from "../element.ts";
import { postMeta } from "../post-item.ts";
import type { Told } from "../view.ts";
import { styleOf } from "./add-style.ts";
import { contentNode } from "./content.ts";
import css from "./more.css?inline";

/** Shows a post in place of the list that `link` is in. */
export function readPost(post: Post, link: HTMLElement, words: WidgetData["words"], told: Told): void {
  addStyle(link.getRootNode() as ShadowRoot);
  const list = link.closest("ul")!;
  const title = element("h3", { tabindex: "-1", lang: "" }, post.title);
  const content = element("div", { class: "content", lang: "" }, post.excerpt);
  const back = element("button", { class: "back" }, words.back);
  const page = element("a", { href: post.url }, words.asPage);
  const article = element("div", { class: "posts article" }, back, title, postMeta(post, words.days), content, page);
  back.onclick = () => {
    article.replaceWith(list);
    link.focus();
  };
  content.onclick = ({ target }) => (target as Element).closest("[href]") && told.count(`${post.slug}.link`);
  list.replaceWith(article);
  title.focus();
  // On failure the excerpt and the link stay.
  told
    .read(post)
    .then((answer) => content.replaceChildren(...answer.content.map(contentNode)))
    .catch(() => {});
}

/** Styles that a closed panel doesn't need. */
export const addStyle = styleOf(css);
