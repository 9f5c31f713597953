import { selectedPiece } from "../marks.ts";
import { icon } from "./menu-entry.ts";

interface Options {
  config: { open(): void };
}

export class PostLink {
  readonly #open: () => void;

  constructor({ config }: Options) {
    this.#open = config.open;
  }

  static get isInline() {
    return true;
  }

  static get title() {
    return "Link";
  }

  static get sanitize() {
    return { a: { href: true } };
  }

  render() {
    return {
      icon: icon('<path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2"/>'),
      name: "link",
      isActive: () => selectedPiece(document.body)?.startContainer.parentElement?.closest("a") !== null,
      onActivate: () => this.#open(),
    };
  }
}
