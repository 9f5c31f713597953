import { isWeb, type Post } from "./data.ts";
import { element, elsewhere } from "./element.ts";

/** The whole item is a link to its page; a plain click calls `read` instead, and opens the page if that fails. */
export function postItem(post: Post, days: readonly string[], read: (post: Post, link: HTMLElement) => Promise<void>): HTMLLIElement {
  const link = element(
    "a",
    { href: post.url },
    isWeb(post.image?.url) ? element("img", { alt: "", loading: "lazy", src: post.image.url }) : "",
    element("h3", { lang: "" }, post.title),
    postMeta(post, days),
    post.excerpt ? element("p", { class: "excerpt", lang: "" }, post.excerpt) : "",
  );
  link.onclick = (event) => {
    if (elsewhere(event)) return;
    event.preventDefault();
    read(post, link).catch(() => {
      link.onclick = null;
      link.click();
    });
  };
  return element("li", { class: "post" }, link);
}

/** Relative words use the reader's days, the date is that of the post's page. */
export function postMeta({ published_at, date, author_name }: Post, days: readonly string[]): HTMLElement {
  const word = days[dayOf(new Date()) - dayOf(new Date(published_at))];
  return element("p", { class: "meta" }, element("time", { datetime: published_at }, word ?? date), author_name ? ` · ${author_name}` : "");
}

const dayOf = (at: Date): number => Math.floor((+at - at.getTimezoneOffset() * 60_000) / 86_400_000);
