import { vi } from "vitest";
import { type ReadNews, type ReadRequest, readSource } from "#importers/read-source.ts";

class FakeReader extends EventTarget {
  ended = false;

  postMessage(request: ReadRequest): void {
    const send = (data: ReadNews) => void (this.ended || this.dispatchEvent(new MessageEvent("message", { data })));
    readSource(request, send).catch((error: unknown) => {
      this.dispatchEvent(new ErrorEvent("error", { message: String(error), cancelable: true }));
    });
  }

  terminate(): void {
    this.ended = true;
  }
}

export class SilentReader extends EventTarget {
  static made: SilentReader[] = [];
  ended = false;
  constructor() {
    super();
    SilentReader.made.push(this);
  }
  asked: ReadRequest | undefined;
  postMessage(request: ReadRequest): void {
    this.asked = request;
  }
  say(data: ReadNews): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {
    this.ended = true;
  }
}

export const stubReader = (reader: typeof FakeReader | typeof SilentReader = FakeReader): void => void vi.stubGlobal("Worker", reader);
