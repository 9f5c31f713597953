import type { WidgetData } from "#contract/releases.ts";
import { load, type Post } from "../data.ts";
import { element } from "../element.ts";
import { postMeta } from "../post-item.ts";
import type { Told } from "../view.ts";
import type { Data, Reader } from "../widget.ts";
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

let sheet: CSSStyleSheet | undefined;

/** Styles that a closed panel doesn't need. */
export function addStyle({ adoptedStyleSheets }: ShadowRoot): void {
  if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(css);
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
}

/** The posts for a reader. Throws without a token. */
export async function identified(address: string, reader: Reader, workspace: string, signal: AbortSignal): Promise<Data> {
  const post = async <Answer>(query = ""): Promise<Answer> => {
    const body = typeof reader === "function" ? await reader() : reader;
    return load(address + query, signal, { method: "POST", body });
  };
  const data = await post<Data>();
  const { seen_up_to: seen, posts } = data;
  if (seen !== undefined) {
    try {
      const key = `tc:widget:${workspace}`;
      if (seen && !(localStorage[key] > seen)) localStorage[key] = seen;
    } catch {}
    const newest = posts
      .map(({ published_at: time }) => time)
      .filter((time) => !time.startsWith("+"))
      .sort()
      .at(-1); // oxlint-disable-line unicorn/no-array-sort
    data.mark = () => newest && void post(`&seen=${newest}`).catch(() => {});
  }
  return data;
}
