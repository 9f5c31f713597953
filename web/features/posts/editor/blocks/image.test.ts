import { waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { toasts } from "../../../../lib/toasts.ts";
import type { CopiedImage, PostImages, UploadImage } from "./editor-block.ts";
import { image } from "./image.ts";

type Answer = Awaited<ReturnType<UploadImage>>;
type Tool = { render(): HTMLElement; rendered(): void; save(): object; onPaste(event: object): Promise<void> };

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

function makeTool(images: Partial<PostImages>, data: object = {}, readOnly = false) {
  const copy = () => Promise.reject(new Error("nothing is copied here"));
  const upload = () => Promise.reject(new Error("nothing is uploaded here"));
  const { class: Image, config } = image.tool!({ copy, upload, ...images });
  const insert = vi.fn();
  const api = {
    styles: { block: "block", input: "input", loader: "loader", button: "cdx-button" },
    i18n: { t: String },
    notifier: { show: vi.fn() },
    blocks: { getBlockIndex: () => 3, getBlockByIndex: () => ({ id: "b" }), insert },
  };
  const options = { data, config, api, readOnly, block: { id: "b", dispatchChange: vi.fn() } };
  const tool = new (Image as unknown as new (options: object) => Tool)(options);
  return { tool, element: tool.render(), insert };
}

function add(upload: UploadImage) {
  const { tool, element } = makeTool({ upload });
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

describe("an image of another site", () => {
  const url = "https://other.example/a.png";
  const file = { url: "/storage/v1/object/public/post-images/a.png", width: 4, height: 3 };
  const copied: CopiedImage = { file, problem: null };
  const gone: CopiedImage = { file: null, problem: "other.example answered 404" };
  const data = { file: { url }, alt: "A cat", caption: "Cap" };
  const asksFor = (element: HTMLElement) => element.outerHTML.includes("other.example/a.png");

  test("is copied when it is pasted, without this browser asking for it", async () => {
    const copy = vi.fn(() => Promise.resolve(copied));
    const { tool, element } = makeTool({ copy }, { ...data, isPasted: true });
    tool.rendered();
    expect(asksFor(element)).toBe(false);
    await waitFor(() => expect(tool.save()).toMatchObject({ file, alt: "A cat", caption: "Cap" }));
    expect(copy).toHaveBeenCalledExactlyOnceWith(url);
    expect(asksFor(element)).toBe(false);
  });

  test("that can't be copied leaves a link, and a message says why", async () => {
    const told = vi.spyOn(toasts, "info").mockReturnValue();
    const { tool, insert } = makeTool({ copy: () => Promise.resolve(gone) }, { ...data, isPasted: true });
    tool.rendered();
    const text = `<a href="${url}">A cat</a><br>Cap`;
    await waitFor(() => expect(insert).toHaveBeenCalledExactlyOnceWith("paragraph", { text }, undefined, 3, false, true, "b"));
    expect(told).toHaveBeenCalledWith("An image wasn't copied", "other.example answered 404. A link to it is in its place.");
  });

  test("that a post has already is said, and copied at the press of a button", async () => {
    const answers = [gone, copied];
    const { tool, element, insert } = makeTool({ copy: () => Promise.resolve(answers.shift()!) }, data);
    tool.rendered();
    const note = element.querySelector(".post-hot-link")!;
    expect(note.textContent).toContain("Readers' browsers load this image from other.example, which sees their IP addresses.");
    const button = note.querySelector("button")!;
    expect(button.textContent).toBe("Copy image here");
    button.click();
    await waitFor(() => expect(button.textContent).toBe("Try again"));
    expect(note.textContent).toContain("This image couldn't be copied: other.example answered 404. ");
    expect(tool.save()).toMatchObject({ file: { url } }); // it stays, and blocks nothing
    button.click();
    const whole = expect.objectContaining({ file, alt: "A cat", caption: "Cap" });
    await waitFor(() => expect(insert).toHaveBeenCalledExactlyOnceWith("image", whole, undefined, 3, false, true, "b"));
  });

  test.each([
    ["of our own Storage", { file }, false],
    ["while nobody can write", data, true],
  ])("is not spoken of: %s", (_, given, readOnly) => {
    expect(makeTool({}, given, readOnly).element.querySelector(".post-hot-link")).toBeNull();
  });
});
