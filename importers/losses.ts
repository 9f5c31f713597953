import type { Loss } from "#contract/blocks/from-markdown.ts";

const sentences: Readonly<Record<Loss, string | ((details: readonly string[], count: number) => string)>> = {
  behind: "Code, tables or pictures in a list or a quote stand behind it",
  details: "A part that was folded (<details>) stands open",
  footnote: "Footnotes stay as text",
  frame: "Videos and frames of other pages are links now",
  heading: "Headings of the fifth and sixth level are of the fourth",
  html: (names) => `HTML in the text keeps its words alone: ${names.map((name) => `<${name}>`).join(", ")}`,
  link: (addresses, count) =>
    `${count === 1 ? "A link leads" : `${count} links lead`} nowhere from here and ${count === 1 ? "is" : "are"} words now: ${addresses.join(", ")}`,
  "list depth": "Lists deeper than 8 levels go on at the eighth",
  "list style": "A list within another is of its kind: numbers or bullets",
  picture: (words, count) =>
    `${count === 1 ? "A picture has" : `${count} pictures have`} no address and ${count === 1 ? "is" : "are"} words now: ${words.join(", ")}`,
  "picture in words": "A picture between words is a link to it, or its words",
  script: (names) => `Left out: ${names.map((name) => `<${name}>`).join(", ")}`,
  table: (kinds) =>
    kinds.includes("wide") ? "A table with more than 30 columns stands as code" : "A table with more than 200 rows is several tables now",
  tag: (names) => `HTML tags were taken off their words: ${names.map((name) => `<${name}>`).join(", ")}`,
  tasks: "All points of a list with tasks are tasks now",
};

const mostDetails = 4;
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59).replace(/[\ud800-\udbff]$/, "")}…` : text);

/** What was lost of a text, in sentences; each kind once. */
export function lossesInWords(lost: readonly (readonly [Loss, string])[]): string[] {
  const kinds = new Map<Loss, string[]>();
  for (const [what, detail] of lost) {
    const details = kinds.get(what);
    if (details === undefined) kinds.set(what, [detail]);
    else details.push(detail);
  }
  return [...kinds].map(([what, details]) => {
    const sentence = sentences[what];
    if (typeof sentence === "string") return sentence;
    const told = [...new Set(details)].filter((detail) => detail !== "").map(short);
    return sentence(told.length > mostDetails ? [...told.slice(0, mostDetails), "…"] : told, details.length);
  });
}
