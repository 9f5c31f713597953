import { start } from "./start.js";

const names = ["origin", "workspace", "tags", "locale", "version", "key"];
let count = 0;

class TidingsNews extends (globalThis.HTMLElement ?? Object) {
  connectedCallback() {
    this.id ||= `tidings-news-${++count}`;
    const options = names.flatMap((name) => (this.hasAttribute(name) ? [[name, this.getAttribute(name)]] : []));
    this.end = start({ ...Object.fromEntries(options), into: `[id=${JSON.stringify(this.id)}]` }, () => {});
  }

  disconnectedCallback() {
    this.end();
  }
}

globalThis.customElements?.define("tidings-news", TidingsNews);
