interface Rules {
  createHTML?(html: string): string;
  createScript?(code: string): string | null;
  createScriptURL?(address: string): string | null;
}
interface Factory {
  createPolicy(name: string, rules: Rules): { createHTML(html: string): string };
}

/** Elements that run or load something, or change how URLs resolve. */
const active = "script, iframe, frame, object, embed, base, meta, link, [srcdoc]";
const urlAttributes = ["href", "src", "action", "formaction", "xlink:href", "data"];

/** Fast path: text and tags without attributes. */
const harmless = /^(?:[^<]|<\/?(?!script|iframe|frame|object|embed|base|meta|link)[a-z][a-z0-9-]*\s*\/?>)*$/i;

/** Removes active markup; unchanged markup is returned as is. `parse` makes an inert tree. */
export function withoutActiveMarkup(html: string, parse: (html: string) => HTMLTemplateElement): string {
  if (!html.includes("<") || (html.length < 10_000 && harmless.test(html))) return html;
  const tree = parse(html);
  const elements = [...tree.content.querySelectorAll(active)];
  for (const element of elements) element.remove();
  const cleaned = [...tree.content.querySelectorAll("*")].filter(cleanAttributes);
  return elements.length + cleaned.length > 0 ? tree.innerHTML : html;
}

/** Removes event handlers and script URLs; true if there were any. */
function cleanAttributes(element: Element): boolean {
  const bad = [...element.attributes].filter(
    ({ name, value }) => name.toLowerCase().startsWith("on") || (urlAttributes.includes(name.toLowerCase()) && isScript(value)),
  );
  for (const { name } of bad) element.removeAttribute(name);
  return bad.length > 0;
}

// oxlint-disable-next-line no-control-regex -- browsers skip these in URLs
const isScript = (address: string): boolean => /^(?:javascript|vbscript|data:(?!image\/))/i.test(address.replace(/[\s\u0000-\u0020]/g, ""));

/** Script URLs are limited to http(s) here; the Content-Security-Policy limits the hosts. */
export const scriptAddress = (address: string): string | null =>
  /^https?:$/.test(new URL(address, location.href).protocol) ? address : null;

/** Editor.js looks up the global object like this. The Content-Security-Policy blocks it, and Editor.js falls back. */
export const scriptText = (code: string): string | null =>
  /^\(?function anonymous\(\s*\) \{\s*return this\s*\}\)?$/.test(code) ? code : null;

/** Default policy for `require-trusted-types-for 'script'`: cleans all HTML that libraries write. No-op without Trusted Types. */
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

/** HTML of a sandboxed frame, unchanged: nothing in it can run. */
export function trustedFrameHtml(html: string): string {
  framePolicy ??= factory?.createPolicy("tidings-sandboxed-page", { createHTML: (same) => same }) ?? { createHTML: (same) => same };
  return framePolicy.createHTML(html);
}
let framePolicy: { createHTML(html: string): string } | undefined;
