import { xssPayloads } from "../../support/xss-payloads.ts";
import { paragraph } from "./writing.ts";

export const item = (content: string, items: object[] = []) => ({ content, meta: {}, items });
const link = (payload: string) => `<a href="${payload}">x</a><a href='${payload}'>y</a><a href=${payload}>z</a>`;
const halves = [xssPayloads.slice(0, xssPayloads.length / 2), xssPayloads.slice(xssPayloads.length / 2)];
const each = (block: (payload: string) => object) => xssPayloads.map(block);

export const posts: Record<string, object[]> = {
  "text, lists and tables": [
    ...each(paragraph),
    ...each((payload) => ({ type: "header", data: { text: payload, level: 2 } })),
    ...["unordered", "ordered", "checklist"].map((style) => ({
      type: "list",
      data: { style, meta: { counterType: xssPayloads[0] }, items: xssPayloads.map((payload) => item(payload, [item(payload)])) },
    })),
    { type: "checklist", data: { items: xssPayloads.map((payload) => ({ text: payload, checked: true })) } },
    ...halves.map((half) => ({ type: "table", data: { withHeadings: true, content: half.map((payload) => [payload, "x"]) } })),
  ],
  "links, marks, quotes and dividers": [
    ...each((payload) =>
      paragraph(`${link(payload)}<mark class="cdx-marker">${payload}</mark><code class="inline-code">${payload}</code>`),
    ),
    ...each((payload) => ({ type: "quote", data: { text: payload, caption: payload, alignment: payload } })),
    ...each((payload) => ({ type: "delimiter", data: { text: payload } })),
    ...each((payload) => ({ type: "raw", data: { html: payload, text: payload } })),
  ],
  "images and code": [
    ...each((payload) => ({ type: "code", data: { code: payload } })),
    ...each((payload) => ({ type: "image", data: { file: { url: payload }, url: payload, caption: "x" } })),
    ...each((payload) => ({ type: "image", data: { file: { url: "/storage/v1/object/public/post-images/none.png" }, caption: payload } })),
  ],
};
