import type { ToolClass, ToolSettings } from "@editorjs/editorjs";
import InlineCode from "@editorjs/inline-code";
import { BlockActions, NoAction } from "./block-actions.ts";
import type { PostImages } from "./editor-block.ts";
import { allBlocks } from "./editor-blocks.ts";
import { PostLink } from "./link-tool.ts";
import { PostMarker } from "./marker.ts";
import type { MenuEntry } from "./menu-entry.ts";
import { PostStrike } from "./strike.ts";

export interface ToolHelp {
  images: PostImages;
  openLink(): void;
  duplicate(place: number): void;
}

function withMenuNames(tool: ToolClass, menu: readonly MenuEntry[]): ToolClass {
  const Tool = tool as new (...options: never[]) => object;
  return class extends Tool {
    static get toolbox() {
      return menu.map(({ title, icon, data }) => ({ title, icon, ...(Object.keys(data).length > 0 && { data }) }));
    }
  };
}

/** All blocks, marks and block actions; built-in ones keep the keys of Editor.js. */
export function editorTools({ images, openLink, duplicate }: ToolHelp): Record<string, ToolSettings> {
  const blocks = allBlocks.flatMap(([type, { tool, menu }]) => {
    if (tool === null) return [];
    const settings = tool(images);
    return [[type, { ...settings, class: withMenuNames(settings.class, menu) }] as const];
  });
  return {
    ...Object.fromEntries(blocks),
    strike: { class: PostStrike },
    inlineCode: { class: InlineCode },
    marker: { class: PostMarker },
    link: { class: PostLink, config: { open: openLink } },
    moveUp: { class: BlockActions, config: { duplicate } },
    delete: { class: NoAction },
    moveDown: { class: NoAction },
  };
}

export const inlineTools = ["convertTo", "bold", "italic", "strike", "inlineCode", "marker", "link"];
