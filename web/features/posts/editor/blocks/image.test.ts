import { waitFor } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { UploadImage } from "./editor-block.ts";
import { image } from "./image.ts";

type Answer = Awaited<ReturnType<UploadImage>>;
type Tool = { render(): HTMLElement; onPaste(event: object): Promise<void> };

const refused: Answer = { success: 0, file: { url: "" } };
const reads: (() => void)[] = []; // ends the reading of a file

beforeEach(() => {
  reads.length = 0;
  class SlowReader {
    onload?: (event: object) => void;
    readAsDataURL() {
      reads.push(() => this.onload?.({ target: { result: "data:image/png;base64,AA==" } }));
    }
  }
  vi.stubGlobal("FileReader", SlowReader);
  vi.spyOn(console, "log").mockReturnValue(); // the tool tells of each failure
  onTestFinished(() => void vi.restoreAllMocks());
});

function add(upload: UploadImage) {
  const { class: Image, config } = image.tool!(upload);
  const api = {
    styles: { block: "block", input: "input", loader: "loader", button: "cdx-button" },
    i18n: { t: String },
    notifier: { show: vi.fn() },
  };
  const tool = new (Image as unknown as new (options: object) => Tool)({ data: {}, config, api, readOnly: false, block: {} });
  const element = tool.render();
  const paste = () => tool.onPaste({ type: "file", detail: { file: new File(["x"], "x.png", { type: "image/png" }) } });
  const state = () => /image-tool--(empty|uploading|filled)/.exec(element.className)?.[1];
  return { paste, state };
}

test("a picture that was refused before it was read leaves the button; the next one is shown again", async () => {
  const answers: Promise<Answer>[] = [Promise.resolve(refused), new Promise(() => {})];
  const upload = vi.fn(() => answers.shift()!);
  const { paste, state } = add(upload);
  await paste();
  await Promise.resolve();
  expect(state()).toBe("empty");
  reads.shift()!();
  expect(state()).toBe("empty");
  await paste();
  reads.shift()!();
  expect(state()).toBe("uploading");
});

test("a picture whose upload fails later is under way until then", async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const answers = [promise, new Promise<Answer>(() => {})];
  const { paste, state } = add(() => answers.shift()!);
  await paste();
  reads.shift()!();
  expect(state()).toBe("uploading");
  resolve(refused);
  await waitFor(() => expect(state()).toBe("empty"));
  await paste();
  reads.shift()!();
  expect(state()).toBe("uploading");
});
