import { describe, expect, test } from "vitest";
import { fileIn } from "#contract/rules/multipart.ts";

async function sent(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Request("http://x", { method: "POST", body: form });
  return [new Uint8Array(await request.arrayBuffer()), request.headers.get("content-type") ?? ""];
}
const everyByte = Uint8Array.from({ length: 1_024 }, (_, at) => at % 256);
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the file of a form", () => {
  test("comes back as it was, whatever its bytes are and whatever stands around it", async () => {
    const form = new FormData();
    form.set("note", "no file");
    form.set("image", new File([everyByte], 'a "b".png', { type: "image/png" }));
    form.set("other", new File(["other"], "other.txt"));
    const [bytes, type] = await sent(form);
    expect(fileIn(bytes, type, "image")).toEqual({ bytes: everyByte, type: "image/png" });
    expect(fileIn(bytes, type, "other")?.bytes).toEqual(bytesOf("other"));
  });
  test("may hold what looks like the end of it", async () => {
    const content = bytesOf("\r\n--almost\r\n\r\n--\r\n");
    const form = new FormData();
    form.set("image", new File([content], "x.png"));
    expect(fileIn(...(await sent(form)), "image")?.bytes).toEqual(content);
  });
  test("is not there when the field is another one, a text, or empty", async () => {
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
  ])("is not there in %j", (text, type) => expect(fileIn(bytesOf(text), type, "image")).toBeUndefined());
  test("of five megabytes is found whatever it is full of", () => {
    const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="x"\r\n\r\n';
    for (const filling of ["\r", "\r\n--", "\0"]) {
      const bytes = new TextEncoder().encode(`${head}${filling.repeat(5_000_000 / filling.length)}\r\n--b--`);
      expect(fileIn(bytes, "multipart/form-data; boundary=b", "image")?.bytes.length).toBe(5_000_000);
    }
  });
});
