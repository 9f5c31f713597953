import { describe, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { v1ImageEndpoints } from "#contract/v1/images.ts";
import { receive } from "./body.ts";

const asEndpoint = (endpoint: unknown) => endpoint as Endpoint;
const upload = asEndpoint(v1ImageEndpoints.upload);
const form = "multipart/form-data; boundary=b";
const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="image"; filename="x.png"\r\n\r\n');
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function sending(content: Buffer, type: string, saysLength = true) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read < content.length) controller.enqueue(content.subarray(read, (read += 65_536)));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": type, ...(saysLength && { "content-length": String(content.length) }) };
  const request = new Request("http://x", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  return { request, read: () => read };
}

describe("a request body", () => {
  const image = Buffer.concat([head, png, Buffer.alloc(1_000_000, "x"), Buffer.from("\r\n--b--\r\n")]);

  test.each([true, false])("arrives unchanged (with length: %s)", async (saysLength) => {
    const { request } = sending(image, form, saysLength);
    expect(Buffer.from(await receive(request, upload)).equals(image)).toBe(true);
  });

  test("is limited to the endpoint's size, with or without Content-Length", async () => {
    for (const saysLength of [true, false]) {
      const { request, read } = sending(Buffer.alloc(6_000_000), form, saysLength);
      await expect(receive(request, upload)).rejects.toMatchObject({ code: "body_too_large" });
      expect(read()).toBeLessThan(saysLength ? 1 : 5_500_000);
    }
  });
});

describe("a file that isn't an image", () => {
  const text = Buffer.alloc(1_000_000, "words of a long text ");
  test.each([
    ["in a form", Buffer.concat([head, text]), form],
    ["by itself", text, "image/png"],
  ])("%s is refused by its first bytes, before the others have come", async (_, content, type) => {
    const { request, read } = sending(content, type);
    await expect(receive(request, upload)).rejects.toMatchObject({ code: "file_not_image" });
    expect(read()).toBe(65_536);
  });

  test("isn't detected behind another part", async () => {
    const note = Buffer.from('--b\r\ncontent-disposition: form-data; name="note"\r\n\r\nwords\r\n');
    const content = Buffer.concat([note, head, png, Buffer.alloc(200_000), Buffer.from("\r\n--b--\r\n")]);
    expect((await receive(sending(content, form).request, upload)).byteLength).toBe(content.length);
  });
});
