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

/** An inline style property's value, lower-case; "" if not set. */
export function declared(element: Element, property: string): string {
  const [, value = ""] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, "i").exec(element.getAttribute("style") ?? "") ?? [];
  return value.trim().toLowerCase();
}

/**
 * Opening and closing tags for an element's marks, by tag or style. Word processors write spans; Google Docs wraps everything in a `<b>`
 * with normal weight.
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
  const raised = declared(element, "vertical-align");
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

/** True for styles that Chromium computed when copying: part of a heading would become bold. */
const isComputed = (element: Element): boolean => element.tagName === "SPAN" && declared(element, "-webkit-text-stroke-width") !== "";
