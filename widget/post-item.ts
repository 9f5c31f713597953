import { dayLabel } from "#contract/rules/date-label.ts";
import { isWeb, type Post } from "./data.ts";
import { element, elsewhere } from "./element.ts";

/** One post of the list: image, title, date, author and excerpt, all one link to its page. A plain click calls `read` instead. */
export function postItem(post: Post, read: (link: HTMLAnchorElement) => void): HTMLLIElement {
  const link = element(
    "a",
    { href: post.url },
    isWeb(post.image?.url) ? element("img", { alt: "", loading: "lazy", src: post.image.url }) : "",
    element("h3", { lang: "" }, post.title),
    postMeta(post),
    post.excerpt ? element("p", { class: "excerpt", lang: "" }, post.excerpt) : "",
  );
  link.onclick = (event) => {
    if (elsewhere(event)) return;
    event.preventDefault();
    read(link);
  };
  return element("li", { class: "post" }, link);
}

export function postMeta({ published_at, author_name }: Post): HTMLElement {
  const date = element("time", { datetime: published_at }, dayLabel(dayOf(new Date(published_at)), dayOf(new Date())));
  return element("p", { class: "meta" }, date, author_name ? ` · ${author_name}` : "");
}

/** The day a moment falls on where the reader is. */
const dayOf = (at: Date): number => Math.floor((+at - at.getTimezoneOffset() * 60_000) / 86_400_000);
