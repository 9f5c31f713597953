/**
 * The part of Editor.js 2.31.7 that this product uses, and its tools. tsconfig's `paths` leads "@editorjs/*" here: the packages' own
 * types are partly missing (marker) and partly TypeScript sources with enums, which `erasableSyntaxOnly` refuses.
 */
declare module "@editorjs/editorjs" {
  export interface OutputData {
    time?: number;
    version?: string;
    blocks: { id?: string; type: string; data: object }[];
  }

  /** A block or inline tool; Editor.js makes its instances. */
  export type ToolClass = new (options: never) => object;

  export interface ToolSettings {
    class: ToolClass;
    inlineToolbar?: boolean | string[];
    shortcut?: string;
    config?: object;
  }

  /** One block on the screen. */
  export interface EditorBlock {
    readonly id: string;
    readonly name: string;
    readonly holder: HTMLElement;
    readonly isEmpty: boolean;
    save(): Promise<{ data: object } | undefined>;
    /** Calls a method of its tool, when it has it. */
    call(method: string): void;
  }

  /** What a tool of a block is given of it. */
  export type BlockApi = Pick<EditorBlock, "id" | "holder"> & {
    /** Says that it is another one now, where no text changed. */
    dispatchChange(): void;
  };

  export interface EditorConfig {
    holder: HTMLElement;
    data: OutputData;
    readOnly: boolean;
    placeholder: string;
    /** Height below the last block in which Editor.js handles clicks, in px. */
    minHeight: number;
    tools: Record<string, ToolSettings>;
    /** The tools that stand above selected words, by name. */
    inlineToolbar: readonly string[];
    i18n: { messages: object };
    onChange(): void;
    logLevel: "VERBOSE" | "INFO" | "WARN" | "ERROR";
  }

  /** Everything but `isReady` exists only once that has resolved. */
  export default class EditorJS {
    constructor(config: EditorConfig);
    readonly isReady: Promise<void>;
    readonly blocks: {
      getCurrentBlockIndex(): number;
      /** `replace` puts the new block in the place of the one at `index`. */
      insert(type: string, data: object, config: undefined, index: number, focus: boolean, replace?: boolean, id?: string): { id: string };
      delete(index: number): void;
      move(to: number, from: number): void;
      getBlocksCount(): number;
      getBlockIndex(id: string): number;
      getBlockByIndex(index: number): EditorBlock | undefined;
    };
    readonly caret: {
      setToBlock(index: number, position: "start" | "end"): boolean;
      setToFirstBlock(position: "start" | "end"): boolean;
    };
    readonly toolbar: { close(): void };
    readonly readOnly: { readonly isEnabled: boolean; toggle(state: boolean): Promise<boolean> };
    save(): Promise<OutputData>;
    render(data: OutputData): Promise<void>;
    destroy(): void;
  }
}

declare module "@editorjs/code" {
  export default class Code {
    constructor(options: { data: object; readOnly: boolean });
    render(): HTMLElement;
    save(wrapper: HTMLElement): { code: string };
  }
}
declare module "@editorjs/delimiter" {
  const tool: import("@editorjs/editorjs").ToolClass;
  export default tool;
}
declare module "@editorjs/header" {
  export default class Header {
    render(): HTMLElement;
  }
}
declare module "@editorjs/image" {
  export default class Image {
    /** What Editor.js gives its tools. */
    readonly api: Pick<import("@editorjs/editorjs").default, "blocks">;
    readonly block: import("@editorjs/editorjs").BlockApi;
    constructor(options: { data: object });
    render(): HTMLElement;
    save(): object;
    renderSettings(): object[];
    /** Asks the uploader for a picture and shows that it is under way. */
    uploadUrl(url: string): void;
    /** The uploader has answered. */
    onUpload(answer: object): void;
    readonly ui: {
      /** Shows that a picture is under way; of a file, once it has been read. */
      showPreloader(src: string): void;
    };
  }
}
declare module "@editorjs/inline-code" {
  const tool: import("@editorjs/editorjs").ToolClass;
  export default tool;
}
declare module "@editorjs/list" {
  const tool: import("@editorjs/editorjs").ToolClass;
  export default tool;
}
declare module "@editorjs/marker" {
  export default class Marker {
    /** The tags, with their attributes, that stay when a text is saved. */
    static get sanitize(): Record<string, object>;
    render(): HTMLElement;
  }
}
declare module "@editorjs/quote" {
  export default class Quote {
    /** What Editor.js gives its tools. */
    readonly api: Pick<import("@editorjs/editorjs").default, "blocks" | "caret">;
    render(): HTMLElement;
  }
}
declare module "@editorjs/table" {
  export default class Table {
    render(): HTMLElement;
    /** What the block's settings offer besides what every block has. */
    renderSettings(): object[];
  }
}
