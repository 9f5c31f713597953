import { fc } from "@fast-check/vitest";
import { xssPayloads } from "./xss-payloads.ts";

const fragment = fc.constantFrom(
  ...'< > / = " \' & ; : # \n \t \0 <b> </b> <i> <a <a> </a> href= href=" javascript: https://x.example &lt; &gt &amp; &#106; &&#35; <script> </script> <!-- --> <img onerror= <br> <code> </code> <mark> <p> ]]> ` \\ * _ [ ] ( )'.split(
    " ",
  ),
  ...xssPayloads,
);
export const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(fragment, fc.string({ maxLength: 6 })), { maxLength: 20 }).map((parts) => parts.join("")),
);
export const anything = fc.oneof(text, fc.anything());
const { item } = fc.letrec<{ item: unknown }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.record({ content: anything, meta: anything, items: fc.array(tie("item"), { maxLength: 3 }) }, { requiredKeys: [] }),
  ),
}));
const data = fc.record(
  {
    text: anything,
    level: anything,
    style: fc.oneof(fc.constantFrom("ordered", "unordered", "checklist"), anything),
    items: fc.array(item, { maxLength: 4 }),
    meta: anything,
    file: fc.oneof(
      fc.record({ url: fc.oneof(text, fc.webUrl(), fc.constant("/storage/v1/object/public/post-images/a/b.png")), width: anything }),
      anything,
    ),
    alt: anything,
    width: fc.oneof(fc.integer({ min: -10, max: 120 }), fc.double(), anything),
    caption: anything,
    url: fc.oneof(
      fc.constantFrom("https://youtu.be/aqz-KE-bpKQ?t=7s", "https://vimeo.com/1/abcdef01", "https://loom.com/share/" + "a".repeat(32)),
      anything,
    ),
    code: anything,
    language: fc.oneof(fc.constantFrom("ts", "C++", "c#", 'x"y'), anything),
    content: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 }),
    withHeadings: fc.boolean(),
  },
  { requiredKeys: [] },
);
const type = fc.constantFrom(
  "paragraph",
  "header",
  "list",
  "image",
  "code",
  "quote",
  "delimiter",
  "table",
  "checklist",
  "callout",
  "embed",
);
export const blocks = fc.array(
  fc.record(
    { id: anything, type, data: fc.oneof({ weight: 9, arbitrary: data }, { weight: 1, arbitrary: anything }) },
    { requiredKeys: ["type"] },
  ),
  {
    maxLength: 5,
  },
);
