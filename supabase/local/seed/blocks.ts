/** Helpers to write Editor.js blocks; ids come from the position, so the seed is reproducible. */
export interface SeedBlock {
  type: string;
  data: Record<string, unknown>;
}

export const heading = (text: string, level = 2): SeedBlock => ({ type: "header", data: { text, level } });
export const text = (html: string): SeedBlock => ({ type: "paragraph", data: { text: html } });
export const code = (source: string): SeedBlock => ({ type: "code", data: { code: source } });
export interface SeedImage {
  url: string;
  width: number;
  height: number;
}
export const quote = (words: string, caption: string): SeedBlock => ({ type: "quote", data: { text: words, caption, alignment: "left" } });
export const image = (file: SeedImage, caption: string): SeedBlock => ({
  type: "image",
  data: { file, caption, withBorder: false, withBackground: false, stretched: false },
});
export const table = (rows: string[][]): SeedBlock => ({ type: "table", data: { withHeadings: true, stretched: false, content: rows } });

function list(style: "ordered" | "unordered", items: string[]): SeedBlock {
  return { type: "list", data: { style, meta: {}, items: items.map((content) => ({ content, meta: {}, items: [] })) } };
}
export const bullets = (...items: string[]): SeedBlock => list("unordered", items);
export const steps = (...items: string[]): SeedBlock => list("ordered", items);
