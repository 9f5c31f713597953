/** `<tidings-news origin="…" workspace="…">` shows the list of posts in its place; also with `tags`, `locale`, `version` and `key`. */
export type TidingsNews = HTMLElement;

declare global {
  interface HTMLElementTagNameMap {
    "tidings-news": TidingsNews;
  }
}
