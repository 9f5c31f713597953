import { waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { toasts } from "../../../lib/toasts.ts";
import type { CopiedImage, PostImages, UploadImage } from "./editor-block.ts";
import { image } from "./image.ts";

type Answer = Awaited<ReturnType<UploadImage>>;
type Tool = { render(): HTMLElement; rendered(): void; save(): object; onPaste(event: object): Promise<void> };

const refused: Answer = { success: 0, file: { url: "" } };
const reads: (() => void)[] = [];

beforeEach(() => {
  reads.length = 0;
  class SlowReader {
    onload?: (event: object) => void;
    readAsDataURL() {
      reads.push(() => this.onload?.({ target: { result: "data:image/png;base64,AA==" } }));
    }
  }
  vi.stubGlobal("FileReader", SlowReader);
  vi.spyOn(console, "log").mockReturnValue(); // the image tool logs each failure
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

test("an image rejected before it was read leaves the button, and the next one shows a preloader", async () => {
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

test("an image shows a preloader until its upload fails", async () => {
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

describe("an image from another site", () => {
  const url = "https://other.example/a.png";
  const file = { url: "/storage/v1/object/public/post-images/a.png", width: 4, height: 3 };
  const copied: CopiedImage = { file, problem: null };
  const failed: CopiedImage = { file: null, problem: "other.example answered 404" };
  const data = { file: { url }, alt: "A cat", caption: "Cap" };
  const loads = (element: HTMLElement) => element.outerHTML.includes("other.example/a.png");

  test("is copied on paste without being loaded by the browser", async () => {
    const copy = vi.fn(() => Promise.resolve(copied));
    const { tool, element } = makeTool({ copy }, { ...data, isPasted: true });
    tool.rendered();
    expect(loads(element)).toBe(false);
    await waitFor(() => expect(tool.save()).toMatchObject({ file, alt: "A cat", caption: "Cap" }));
    expect(copy).toHaveBeenCalledExactlyOnceWith(url);
    expect(loads(element)).toBe(false);
  });

  test("becomes a link with a message when it can't be copied", async () => {
    const showInfo = vi.spyOn(toasts, "info").mockReturnValue();
    const { tool, insert } = makeTool({ copy: () => Promise.resolve(failed) }, { ...data, isPasted: true });
    tool.rendered();
    const text = `<a href="${url}">A cat</a><br>Cap`;
    await waitFor(() => expect(insert).toHaveBeenCalledExactlyOnceWith("paragraph", { text }, undefined, 3, false, true, "b"));
    expect(showInfo).toHaveBeenCalledWith("Couldn't copy an image", "other.example answered 404. We inserted a link instead.");
  });

  test("shows a notice in an existing post and is copied by its button", async () => {
    const answers = [failed, copied];
    const { tool, element, insert } = makeTool({ copy: () => Promise.resolve(answers.shift()!) }, data);
    tool.rendered();
    const note = element.querySelector(".post-hot-link")!;
    expect(note.textContent).toContain("Readers' browsers load this image from other.example, which sees their IP addresses.");
    const button = note.querySelector("button")!;
    expect(button.textContent).toBe("Copy image here");
    button.click();
    await waitFor(() => expect(button.textContent).toBe("Try again"));
    expect(note.textContent).toContain("Couldn't copy this image: other.example answered 404. ");
    expect(tool.save()).toMatchObject({ file: { url } });
    button.click();
    const whole = expect.objectContaining({ file, alt: "A cat", caption: "Cap" });
    await waitFor(() => expect(insert).toHaveBeenCalledExactlyOnceWith("image", whole, undefined, 3, false, true, "b"));
  });

  test.each([
    ["from our own Storage", { file }, false],
    ["in read-only mode", data, true],
  ])("shows no notice %s", (_, data, readOnly) => {
    expect(makeTool({}, data, readOnly).element.querySelector(".post-hot-link")).toBeNull();
  });
});
