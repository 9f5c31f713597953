import type { Loss } from "#contract/blocks/from-markdown.ts";

const sentences: Readonly<Record<Loss, string | ((details: readonly string[], count: number) => string)>> = {
  behind: "Code, tables or images in a list or quote were moved behind it",
  details: "A collapsible part (<details>) is now expanded",
  footnote: "Footnotes stay as text",
  frame: "Videos and embedded frames are now links",
  heading: "Headings of level 5 and 6 are now level 4",
  html: (names) => `Only the text of HTML was kept: ${names.map((name) => `<${name}>`).join(", ")}`,
  link: (addresses, count) =>
    `${count === 1 ? "A link has no target here and is" : `${count} links have no target here and are`} now text: ${addresses.join(", ")}`,
  list: "A list with more than 1,000 items or 50,000 characters is now split",
  "list depth": "Lists deeper than 8 levels continue on level 8",
  "list style": "A nested list uses the style of its parent: numbers or bullets",
  picture: (words, count) =>
    `${count === 1 ? "An image has no URL and is" : `${count} images have no URL and are`} now text: ${words.join(", ")}`,
  "picture in words": "An image within text is now a link or its text",
  script: (names) => `Removed: ${names.map((name) => `<${name}>`).join(", ")}`,
  table: (kinds) =>
    kinds.includes("wide") ? "A table with more than 30 columns is now code" : "A table with more than 200 rows is now split",
  tag: (names) => `HTML tags were removed: ${names.map((name) => `<${name}>`).join(", ")}`,
  tasks: "All items of a list with tasks are now tasks",
};

const mostDetails = 4;
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59).replace(/[\ud800-\udbff]$/, "")}…` : text);

export function lossesInWords(losses: readonly (readonly [Loss, string])[]): string[] {
  const kinds = new Map<Loss, string[]>();
  for (const [what, detail] of losses) {
    const details = kinds.get(what);
    if (details === undefined) kinds.set(what, [detail]);
    else details.push(detail);
  }
  return [...kinds].map(([what, details]) => {
    const sentence = sentences[what];
    if (typeof sentence === "string") return sentence;
    const examples = [...new Set(details)].filter((detail) => detail !== "").map(short);
    return sentence(examples.length > mostDetails ? [...examples.slice(0, mostDetails), "…"] : examples, details.length);
  });
}
