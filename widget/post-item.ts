import { dateLabel } from "#contract/rules/date-label.ts";
import { outside } from "./content.ts";
import { isWeb, type Post } from "./data.ts";
import { element } from "./element.ts";

/** One post of the list: image, title, date, author and excerpt, all one link to its page. A plain click calls `read` instead. */
export function postItem(post: Post, read: (link: HTMLAnchorElement) => void): HTMLLIElement {
  const { title, url, excerpt, image } = post;
  const link = element(
    "a",
    "",
    { href: url, ...outside },
    isWeb(image?.url) ? picture(image.url) : null,
    element("h3", "", {}, title),
    postMeta(post),
    excerpt ? element("p", "excerpt", {}, excerpt) : null,
  );
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    read(link);
  });
  return element("li", "post", {}, link);
}

export function postMeta({ published_at, author_name }: Post): HTMLElement {
  const date = element("time", "", { datetime: published_at }, dateLabel(published_at, new Date()));
  return element("p", "meta", {}, date, author_name ? ` · ${author_name}` : null);
}

/** Taken away again when it cannot be had, for instance because the page's policy forbids it. */
function picture(src: string): HTMLImageElement {
  const img = element("img", "", { alt: "", loading: "lazy", src });
  img.addEventListener("error", () => img.remove());
  return img;
}
