declare module "jsdom" {
  export class VirtualConsole {
    on(event: "jsdomError", listener: (error: Error) => void): this;
  }
  export interface Options {
    url: string;
    runScripts: "dangerously";
    resources: "usable";
    pretendToBeVisual: boolean;
    virtualConsole: VirtualConsole;
    beforeParse(window: Window & typeof globalThis): void;
  }
  export class JSDOM {
    constructor(html: string, options?: Options);
    readonly window: Window & typeof globalThis;
  }
}
