/**
 * Types of the used parts of Editor.js 2.31.7 and its tools, mapped by tsconfig's `paths`. The packages' own types are missing (marker)
 * or TypeScript sources with enums, which `erasableSyntaxOnly` rejects.
 */
declare module "@editorjs/editorjs" {
  export interface OutputData {
    time?: number;
    version?: string;
    blocks: { id?: string; type: string; data: object }[];
  }

  export type ToolClass = new (options: never) => object;

  export interface ToolSettings {
    class: ToolClass;
    inlineToolbar?: boolean | string[];
    shortcut?: string;
    config?: object;
  }

  export interface EditorBlock {
    readonly id: string;
    readonly name: string;
    readonly holder: HTMLElement;
    readonly isEmpty: boolean;
    save(): Promise<{ data: object } | undefined>;
    call(method: string): void;
  }

  export type BlockApi = Pick<EditorBlock, "id" | "holder"> & {
    /** Reports a change that isn't a text change. */
    dispatchChange(): void;
  };

  export interface EditorConfig {
    holder: HTMLElement;
    data: OutputData;
    readOnly: boolean;
    placeholder: string;
    /** Height in px below the last block that takes clicks. */
    minHeight: number;
    tools: Record<string, ToolSettings>;
    inlineToolbar: readonly string[];
    i18n: { messages: object };
    onChange(): void;
    logLevel: "VERBOSE" | "INFO" | "WARN" | "ERROR";
  }

  /** Everything except `isReady` exists only after it has resolved. */
  export default class EditorJS {
    constructor(config: EditorConfig);
    readonly isReady: Promise<void>;
    readonly blocks: {
      getCurrentBlockIndex(): number;
      /** `replace` replaces the block at `index`. */
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
    readonly api: Pick<import("@editorjs/editorjs").default, "blocks">;
    readonly block: import("@editorjs/editorjs").BlockApi;
    constructor(options: { data: object });
    render(): HTMLElement;
    save(): object;
    renderSettings(): object[];
    uploadUrl(url: string): void;
    onUpload(answer: object): void;
    readonly ui: {
      /** Shows the preloader. Called for files only once they have been read. */
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
    static get sanitize(): Record<string, object>;
    render(): HTMLElement;
  }
}
declare module "@editorjs/quote" {
  export default class Quote {
    readonly api: Pick<import("@editorjs/editorjs").default, "blocks" | "caret">;
    render(): HTMLElement;
  }
}
declare module "@editorjs/table" {
  export default class Table {
    render(): HTMLElement;
    renderSettings(): object[];
  }
}
