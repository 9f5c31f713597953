import { escapeHtml } from "#contract/blocks/text.ts";

const markOf: Readonly<Record<string, string>> = {
  B: "b",
  STRONG: "b",
  I: "i",
  EM: "i",
  U: "u",
  INS: "u",
  S: "s",
  DEL: "s",
  STRIKE: "s",
  MARK: "mark",
  SUP: "sup",
  SUB: "sub",
  CODE: "code",
  KBD: "code",
  SAMP: "code",
  TT: "code",
};

/** What an element's own style says of a property. */
export function declared(element: Element, property: string): string {
  const [, value = ""] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, "i").exec(element.getAttribute("style") ?? "") ?? [];
  return value.trim().toLowerCase();
}

/**
 * How a text inside an element is marked, by its tag or by its style: as the tags to write around it. The editor's bold and italic are
 * `<b>` and `<i>`; word processors write spans, and Google Docs a `<b>` around everything that says it is not bold.
 */
export function marksOf(element: Element): { open: string; close: string } {
  const tags = new Set<string>();
  const own = markOf[element.tagName];
  if (own) tags.add(own);
  const set = (tag: string, yes: RegExp, no: RegExp | null, value: string) => {
    if (no?.test(value)) tags.delete(tag);
    else if (yes.test(value) && !isComputed(element)) tags.add(tag);
  };
  set("b", /^(?:bold|bolder|[6-9]00)/, /^(?:normal|lighter|[1-5]00)/, declared(element, "font-weight"));
  set("i", /^(?:italic|oblique)/, /^normal/, declared(element, "font-style"));
  const raised = declared(element, "vertical-align"); // as Google Docs and Word write it
  set("sup", /^super/, /^baseline/, raised);
  set("sub", /^sub/, /^baseline/, raised);
  const lines = `${declared(element, "text-decoration")} ${declared(element, "text-decoration-line")}`;
  set("s", /line-through/, null, lines);
  if (element.closest("a")) tags.delete("u");
  else set("u", /underline/, null, lines);
  const names = [...tags];
  const href = element.tagName === "A" ? element.getAttribute("href")?.trim() : undefined;
  return {
    open: (href ? `<a href="${escapeHtml(href)}">` : "") + names.map((name) => `<${name}>`).join(""),
    close: [...names.reverse(), ...(href ? ["a"] : [])].map((name) => `</${name}>`).join(""),
  };
}

/** A browser writes down how the text looked where it was copied: a piece of a heading would stay as heavy as one. */
const isComputed = (element: Element): boolean => element.tagName === "SPAN" && declared(element, "-webkit-text-stroke-width") !== "";
