import { describe, expect, test } from "vitest";
import { fileBeginningIn, fileIn } from "#contract/rules/multipart.ts";

async function sent(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Request("http://x", { method: "POST", body: form });
  return [new Uint8Array(await request.arrayBuffer()), request.headers.get("content-type") ?? ""];
}
const everyByte = Uint8Array.from({ length: 1_024 }, (_, at) => at % 256);
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the file of a form", () => {
  test("round-trips unchanged, whatever its bytes and surroundings", async () => {
    const form = new FormData();
    form.set("note", "no file");
    form.set("image", new File([everyByte], 'a "b".png', { type: "image/png" }));
    form.set("other", new File(["other"], "other.txt"));
    const [bytes, type] = await sent(form);
    expect(fileIn(bytes, type, "image")).toEqual({ bytes: everyByte, type: "image/png" });
    expect(fileIn(bytes, type, "other")?.bytes).toEqual(bytesOf("other"));
  });
  test("can contain what looks like its end", async () => {
    const content = bytesOf("\r\n--almost\r\n\r\n--\r\n");
    const form = new FormData();
    form.set("image", new File([content], "x.png"));
    expect(fileIn(...(await sent(form)), "image")?.bytes).toEqual(content);
  });
  test("is undefined when the field is missing, text or empty", async () => {
    const form = new FormData();
    form.set("text", "x");
    form.set("empty", new File([], "empty.png"));
    const [bytes, type] = await sent(form);
    for (const field of ["image", "text", "empty"]) expect(fileIn(bytes, type, field)).toBeUndefined();
  });
  test.each([
    ["", "multipart/form-data"],
    ["--b", "multipart/form-data; boundary=b"],
    ["--b\r\n\r\n", "multipart/form-data; boundary=b"],
    ['--b\r\ncontent-disposition: form-data; name="image"; filename="x"\r\n\r\nno end', "multipart/form-data; boundary=b"],
    ["--b--\r\n", 'multipart/form-data; boundary="b"'],
  ])("is missing in %j", (text, type) => expect(fileIn(bytesOf(text), type, "image")).toBeUndefined());
  test("a file of five megabytes is parsed whatever its content", () => {
    const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="x"\r\n\r\n';
    for (const filling of ["\r", "\r\n--", "\0"]) {
      const bytes = new TextEncoder().encode(`${head}${filling.repeat(5_000_000 / filling.length)}\r\n--b--`);
      expect(fileIn(bytes, "multipart/form-data; boundary=b", "image")?.bytes.length).toBe(5_000_000);
    }
  });
});

describe("the beginning of a form's file", () => {
  const type = "multipart/form-data; boundary=b";
  const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="x.png"\r\n\r\n';
  const beginning = (text: string, field = "image") => fileBeginningIn(bytesOf(text), type, field, 4);

  test("is returned as soon as it arrived", () => {
    expect(beginning(`${head}abcdef`)).toEqual(bytesOf("abcd"));
    for (let length = 0; length < head.length + 4; length++) expect(beginning(`${head}abcdef`.slice(0, length))).toBeUndefined();
  });
  test.each([
    ["another field", head.replace("image", "other")],
    ["a text", head.replace('; filename="x.png"', "")],
    ["no part of this form", head.replace("--b", "--c")],
    ["a part with a head without end", `--b\r\n${"x".repeat(20_000)}\r\n\r\n`],
  ])("is not that of %s", (_, text) => expect(beginning(`${text}abcdef`)).toBeUndefined());
  test("is undefined without a boundary", () =>
    expect(fileBeginningIn(bytesOf(`${head}abcdef`), "multipart/form-data", "image", 4)).toBeUndefined());
});
