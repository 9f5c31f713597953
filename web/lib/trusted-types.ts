interface Rules {
  createHTML?(html: string): string;
  createScript?(code: string): string | null;
  createScriptURL?(address: string): string | null;
}
interface Factory {
  createPolicy(name: string, rules: Rules): { createHTML(html: string): string };
}

/** What runs or loads something, or changes how the page's own addresses are read. */
const active = "script, iframe, frame, object, embed, base, meta, link, [srcdoc]";
const addresses = ["href", "src", "action", "formaction", "xlink:href", "data"];

/** Markup in which nothing can be active: text and tags without attributes. */
const harmless = /^(?:[^<]|<\/?(?!script|iframe|frame|object|embed|base|meta|link)[a-z][a-z0-9-]*\s*\/?>)*$/i;

/** The markup as it is when nothing in it is active; otherwise without that. `parse` makes an inert tree of it. */
export function withoutActiveMarkup(html: string, parse: (html: string) => HTMLTemplateElement): string {
  if (!html.includes("<") || (html.length < 10_000 && harmless.test(html))) return html;
  const tree = parse(html);
  const found = [...tree.content.querySelectorAll(active)];
  for (const element of found) element.remove();
  const cleaned = [...tree.content.querySelectorAll("*")].filter(cleanAttributes);
  return found.length + cleaned.length > 0 ? tree.innerHTML : html;
}

/** Takes handlers and addresses that are scripts from an element; whether there were any. */
function cleanAttributes(element: Element): boolean {
  const bad = [...element.attributes].filter(
    ({ name, value }) => name.toLowerCase().startsWith("on") || (addresses.includes(name.toLowerCase()) && isScript(value)),
  );
  for (const { name } of bad) element.removeAttribute(name);
  return bad.length > 0;
}

// oxlint-disable-next-line no-control-regex -- browsers skip these when they read an address
const isScript = (address: string): boolean => /^(?:javascript|vbscript|data:(?!image\/))/i.test(address.replace(/[\s\u0000-\u0020]/g, ""));

/** Scripts come from web servers only; which ones, the Content-Security-Policy says. */
export const scriptAddress = (address: string): string | null =>
  /^https?:$/.test(new URL(address, location.href).protocol) ? address : null;

/** Editor.js asks so for the global object; the Content-Security-Policy refuses it, and Editor.js finds another way. */
export const scriptText = (code: string): string | null =>
  /^\(?function anonymous\(\s*\) \{\s*return this\s*\}\)?$/.test(code) ? code : null;

/**
 * The default policy for `require-trusted-types-for 'script'`: everything that Editor.js, PrimeReact and others write as HTML passes through
 * here, and no text becomes a script. Browsers without Trusted Types go on without.
 */
function install(factory: Factory | undefined): void {
  if (!factory) return;
  const inert = factory.createPolicy("tidings-inert", { createHTML: (html) => html });
  const parse = (html: string): HTMLTemplateElement => {
    const template = document.createElement("template");
    template.innerHTML = inert.createHTML(html);
    return template;
  };
  factory.createPolicy("default", {
    createHTML: (html) => withoutActiveMarkup(html, parse),
    createScript: scriptText,
    createScriptURL: scriptAddress,
  });
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
install(factory);

/** A whole page for a frame that is sandboxed and runs nothing: passed on letter by letter, because there is nothing that it could do. */
export function asWritten(html: string): string {
  framed ??= factory?.createPolicy("tidings-sandboxed-page", { createHTML: (same) => same }) ?? { createHTML: (same) => same };
  return framed.createHTML(html);
}
let framed: { createHTML(html: string): string } | undefined;
