import type { BlockApi } from "@editorjs/editorjs";
import { icon } from "./menu-entry.ts";

interface Options {
  api: {
    blocks: {
      getBlockIndex(id: string): number;
      getBlocksCount(): number;
      move(to: number, from: number): void;
      delete(index: number): void;
    };
  };
  block: BlockApi;
  config: { duplicate(place: number): void };
}

const command = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl+";

/** Actions of every block, in its menu. Editor.js has "Delete" in the middle, confirms it, and has no "Duplicate". */
export class BlockActions {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  static get isTune() {
    return true;
  }

  render() {
    const { api, block, config } = this.#options;
    const place = () => api.blocks.getBlockIndex(block.id);
    const isFirst = place() === 0;
    const isLast = place() === api.blocks.getBlocksCount() - 1;
    return [
      {
        icon: icon(
          '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M15 5.5V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h.5"/>',
        ),
        title: "Duplicate",
        name: "duplicate",
        secondaryLabel: `${command}D`,
        closeOnActivate: true,
        onActivate: () => config.duplicate(place()),
      },
      {
        icon: icon('<path d="M20 4H4v12h4v4l5-4h7z"/>'),
        title: "Comment",
        name: "comment",
        closeOnActivate: true,
        onActivate: () => block.holder.dispatchEvent(new CustomEvent("comment-on-block", { bubbles: true })),
      },
      {
        icon: icon('<path d="M12 19V5M6 11l6-6 6 6"/>'),
        title: "Move up",
        name: "move-up",
        isDisabled: isFirst,
        onActivate: () => api.blocks.move(place() - 1, place()),
        closeOnActivate: true,
      },
      {
        icon: icon('<path d="M12 5v14M6 13l6 6 6-6"/>'),
        title: "Move down",
        name: "move-down",
        isDisabled: isLast,
        onActivate: () => api.blocks.move(place() + 1, place()),
        closeOnActivate: true,
      },
      {
        icon: icon('<path d="M5 7h14M10 7V5h4v2M7 7l.8 12h8.4L17 7M10.5 11v5M13.5 11v5"/>'),
        title: "Delete",
        name: "delete",
        closeOnActivate: true,
        onActivate: () => api.blocks.delete(place()),
      },
    ];
  }
}

/** Replaces a built-in Editor.js action that `BlockActions` has. */
export class NoAction {
  static get isTune() {
    return true;
  }

  render() {
    return [];
  }
}
