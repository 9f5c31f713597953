import type EditorJS from "@editorjs/editorjs";
import { renderHook, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { imageMaxBytes } from "#contract/limits.ts";
import { code } from "./blocks/code.ts";
import { blockForLine, blockForMarker } from "./markdown-shortcuts.ts";
import { writeInFront } from "./paste/typed-text.ts";
import { blocksFor } from "./typed-menu/blocks-menu.ts";
import { emojiFor } from "./typed-menu/emoji-menu.ts";
import { changeEnd } from "./undo-keys.ts";
import { fromEditor, toEditor } from "./editor-content.ts";
import { changeBetween } from "./undo-stack.ts";
import { useImageUpload } from "./use-image-upload.ts";
import { toasts } from "../../lib/toasts.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

describe("blockForMarker", () => {
  test.each([
    ["#", "header", { level: 2 }],
    ["##", "header", { level: 2 }],
    ["####", "header", { level: 4 }],
    ["-", "list", { style: "unordered" }],
    ["1.", "list", { style: "ordered" }],
    ["[]", "list", { style: "checklist", items: [{ content: "rest", meta: { checked: false } }] }],
    [">", "quote", { text: "rest" }],
    ["```", "code", { code: "rest" }],
    ["---", "delimiter", {}],
  ])("turns %s into a %s", (marker, type, data) => {
    expect(blockForMarker(marker, "rest")).toMatchObject({ type, data });
  });
  test.each(["", "#####", "text", "toString", "2."])("ignores '%s'", (before) => expect(blockForMarker(before, "")).toBeNull());
});

describe("blockForLine", () => {
  test.each([
    ["---", "delimiter", {}],
    ["***", "delimiter", {}],
    ["```", "code", { code: "" }],
    ["```js", "code", { language: "javascript" }],
  ])("turns %s into a %s", (line, type, data) => expect(blockForLine(line)).toMatchObject({ type, data }));
  test.each(["--", "```js and words", "> said", "- item", "## heading"])("ignores '%s'", (line) => expect(blockForLine(line)).toBeNull());
});

test("writeInFront turns Markdown typed before the editor was ready into blocks", () => {
  const blocks: { type: string; data: object }[] = [{ type: "paragraph", data: { text: "First words." } }];
  const insert = (type: string, data: object, _config: undefined, place: number) => void blocks.splice(place, 0, { type, data });
  const caret = { setToBlock: vi.fn() };
  const editor = { blocks: { insert, getBlockByIndex: () => ({ isEmpty: false }) }, caret };
  writeInFront(editor as unknown as EditorJS, "## A <heading>\n- An item\n---\n> Said\nWords -- and more\n---");
  expect(blocks).toMatchObject([
    { type: "header", data: { text: "A &lt;heading&gt;", level: 2 } },
    { type: "list", data: { style: "unordered", items: [{ content: "An item" }] } },
    { type: "delimiter" },
    { type: "quote", data: { text: "Said" } },
    { type: "paragraph", data: { text: "Words -- and more" } },
    { type: "paragraph", data: { text: "---" } }, // no Enter followed
    { type: "paragraph", data: { text: "First words." } },
  ]);
  expect(caret.setToBlock).toHaveBeenCalledWith(5, "end");
});

describe("the code block", () => {
  type Tool = new (options: object) => { render(): HTMLElement; rendered(): void; save(wrapper: HTMLElement): object };
  const noImage = () => Promise.reject(new Error("no image here"));
  const { class: Tool } = code.tool!({ upload: noImage, copy: noImage }) as unknown as { class: Tool };
  const editor = document.createElement("div");
  editor.className = "codex-editor";
  const added = (data: object) => {
    const tool = new Tool({ data, config: {}, api: { styles: { block: "block", input: "input" }, i18n: { t: String } }, readOnly: false });
    const element = tool.render();
    editor.append(element);
    tool.rendered();
    return tool.save(element);
  };

  test("takes the language of the code block above only when new", () => {
    expect(added({})).toEqual({ code: "" });
    expect(added({ code: "a", language: "go" })).toEqual({ code: "a", language: "go" });
    expect(added({ code: "b", language: "rust" })).toEqual({ code: "b", language: "rust" });
    expect(added({})).toEqual({ code: "", language: "rust" });
    expect(added(blockForMarker("```", "rest")!.data)).toEqual({ code: "rest", language: "rust" });
    expect(added({ code: "plain" })).toEqual({ code: "plain" });
    expect(added({ code: "c", language: "klingon" })).toEqual({ code: "c", language: "klingon" });
  });

  test("moves the focus to its language and back by Escape, because Tab indents", async () => {
    document.body.append(editor);
    added({ code: "last" });
    const text = [...editor.querySelectorAll("textarea")].at(-1)!;
    text.focus();
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(text.closest(".ce-code")!.querySelector("select"));
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(text);
    editor.remove();
  });
});

describe("blocksFor", () => {
  test.each([
    ["bullet", "Bulleted list"],
    ["ul", "Bulleted list"],
    ["numbered", "Numbered list"],
    ["ordered", "Numbered list"],
    ["todo", "To-do list"],
    ["to-do", "To-do list"],
    ["check", "To-do list"],
    ["hr", "Divider"],
    ["div", "Divider"],
    ["delimiter", "Divider"],
    ["h1", "Heading 2"],
    ["h2", "Heading 2"],
    ["H3", "Heading 3"],
    ["heading 4", "Heading 4"],
    ["head", "Heading 2"],
    ["photo", "Image"],
    ["pic", "Image"],
    ["img", "Image"],
    ["table", "Table"],
    ["code", "Code"],
    ["quote", "Quote"],
    ["youtube", "Video"],
    ["note", "Callout"],
    ["p", "Text"],
  ])("%s finds the %s first", (query, title) => expect(blocksFor(query)[0]?.title).toBe(title));
  test("offers every block for an empty query and none for nonsense", () => {
    expect(blocksFor("")).toHaveLength(14);
    expect(blocksFor("xyzzy")).toEqual([]);
  });
});

describe("emoji", () => {
  test.each([
    ["tada", "🎉"],
    ["rocket", "🚀"],
    ["+1", "👍"],
    ["bug", "🐞"],
    ["heart", "❤️"],
    ["white_check_mark", "✅"],
  ])("emojiFor finds :%s", async (query, character) => expect((await emojiFor(query)).map((one) => one.character)).toContain(character));
});

describe("changeEnd", () => {
  test.each([
    ["bold word", "**bold** word", 8],
    ["same", "same", 0],
    ["xab", "xyab", 2],
    ["abc", "ab", 2],
    ["ab", "abb", 2],
  ])("finds the end of the change from '%s' to '%s'", (from, to, place) => expect(changeEnd(from, to)).toBe(place));
});

describe("editor content", () => {
  test("is cleaned on the way in and out and keeps format 2.28.2", () => {
    const dirty = {
      time: 1,
      blocks: [{ type: "paragraph", data: { text: '<img src=x onerror="alert(1)"><b>bold</b>' } }],
      version: "2.31.7",
    };
    expect(fromEditor(dirty)).toMatchObject({ version: "2.28.2", blocks: [{ data: { text: "<b>bold</b>" } }] });
    expect(JSON.stringify(toEditor(dirty as never))).not.toContain("onerror");
  });
});

/** An XMLHttpRequest over the stubbed fetch that reports half of the upload first. */
class FakeRequest {
  upload: { onprogress?(event: object): void } = {};
  status = 0;
  responseText = "";
  #headers = new Headers();
  withCredentials = false;
  onload?: () => void;
  onerror?: () => void;
  #to = { url: "", method: "" };
  open(method: string, url: string) {
    this.#to = { method, url };
  }
  setRequestHeader() {}
  getResponseHeader(name: string) {
    return this.#headers.get(name);
  }
  async send(body: FormData) {
    this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
    try {
      const answer = await fetch(this.#to.url, { method: this.#to.method, body });
      this.status = answer.status;
      this.#headers = answer.headers;
      this.responseText = await answer.text();
      this.onload?.();
    } catch {
      this.onerror?.();
    }
  }
}

describe("useImageUpload", () => {
  beforeEach(() => void vi.stubGlobal("XMLHttpRequest", FakeRequest));
  const image = (bytes = 10, type = "image/png") => new File([new Uint8Array(bytes)], "picture.png", { type });
  const call = `POST /api/workspaces/${ids.acme}/editor/image-upload`;
  const upload = () => renderHook(() => useImageUpload(ids.acme)).result.current.upload;

  test("returns the stored file's URL", async () => {
    const api = stubApi({ [call]: { success: 1, file: { url: "/storage/v1/object/public/post-images/a.png", width: 40, height: 30 } } });
    expect(await upload()(image())).toEqual({
      success: 1,
      file: { url: "/storage/v1/object/public/post-images/a.png", width: 40, height: 30 },
    });
    expect(api.requests[0]?.file?.name).toBe("picture.png");
  });

  test("reports upload progress", async () => {
    const answer = pending<object>();
    stubApi({ [call]: () => answer.promise });
    const { result } = renderHook(() => useImageUpload(ids.acme));
    const done = result.current.upload(image());
    await waitFor(() => expect(result.current.uploading).toEqual([0.5]));
    answer.resolve({ success: 1, file: { url: "/storage/v1/object/public/post-images/a.png", width: 40, height: 30 } });
    await done;
    await waitFor(() => expect(result.current.uploading).toEqual([]));
  });

  test.each<[string, File, () => Response, string]>([
    ["not an image", image(10, "text/plain"), () => refusal("internal"), "Please select an image file"],
    ["too large", image(imageMaxBytes + 1), () => refusal("internal"), "File size must be less than 5MB"],
    ["refused by the server", image(), () => refusal("file_not_image"), "Please select an image file"],
    ["of too many pixels", image(), () => refusal("validation_failed", { image: "Too wide" }), "Too wide"],
    [
      "cut off",
      image(),
      () => {
        throw new TypeError("Failed to fetch");
      },
      "We can't reach the server. Check your connection. Nothing you wrote is lost.",
    ],
    [
      "answered without success",
      image(),
      () => Response.json({ success: 0 }, { status: 201 }),
      "Something went wrong on our side. Nothing you wrote is lost.",
    ],
  ])("shows an error for an image that is %s", async (_, file, answer, sentence) => {
    const showError = vi.spyOn(toasts, "error").mockImplementation(() => undefined);
    stubApi({ [call]: answer });
    expect(await upload()(file)).toEqual({ success: 0, file: { url: "" } });
    expect(showError).toHaveBeenCalledWith("Couldn't upload the image", sentence);
    showError.mockRestore();
  });
});

describe("changeBetween", () => {
  const block = (id: string, text = id) => ({ id, type: "paragraph", data: { text } });

  test.each([
    [["a", "b"], ["a", "b"], null],
    [["a", "c"], ["a", "b", "c"], { after: "a", removed: [], inserted: [block("b")] }],
    [["a", "b"], ["b"], { after: null, removed: ["a"], inserted: [] }],
    [["a", "b", "c"], ["a", "x", "c"], { after: "a", removed: ["b"], inserted: [block("x")] }],
    [["a"], [], { after: null, removed: ["a"], inserted: [] }],
  ])("from %j to %j changes only blocks that differ", (from, to, change) => {
    expect(
      changeBetween(
        from.map((id) => block(id)),
        to.map((id) => block(id)),
      ),
    ).toEqual(change);
  });
});
