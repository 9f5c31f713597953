/** Tag limit: each costs parsing time. */
export const mostTags = 60_000;
/** Nesting limit; deeper tags are removed, their text stays. */
const deepest = 60;
const deepestLists = 8;
const deepestQuotes = 4;
const mostAttributes = 60;

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const single = names("br hr img input wbr source embed");
const removedElements = names("script style template svg select textarea datalist title noembed noframes annotation annotation-xml");
const raw = names("script style textarea title noembed noframes xmp iframe plaintext");
const blocks = names(
  "address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table ul",
);
const inline = names("a abbr b big button cite code del dfn em i ins kbd label mark q s samp small strike strong sub sup tt u var");
const others = names("audio caption iframe noscript object picture tbody td tfoot th thead tr video");
const headings = names("h1 h2 h3 h4 h5 h6");
const lists = names("ul ol menu dir");
const tableParts = names("table thead tbody tfoot tr td th caption");
const walls = names("td th caption table");

/** Implied end tags, and where the search for them stops. */
const ends: Readonly<Record<string, { closes: ReadonlySet<string>; upTo: ReadonlySet<string> }>> = {
  li: { closes: names("li"), upTo: names("ul ol menu td th") },
  dt: { closes: names("dt dd"), upTo: names("dl td th") },
  dd: { closes: names("dt dd"), upTo: names("dl td th") },
  tr: { closes: names("tr caption"), upTo: names("table") },
  td: { closes: names("td th"), upTo: names("tr table") },
  th: { closes: names("td th"), upTo: names("tr table") },
  tbody: { closes: names("thead tbody tfoot caption"), upTo: names("table") },
  thead: { closes: names("thead tbody tfoot caption"), upTo: names("table") },
  tfoot: { closes: names("thead tbody tfoot caption"), upTo: names("table") },
};

const read = names(
  "alt checked class colspan data-checked data-lang data-language data-lazy-src data-original data-src data-type height href role rowspan src srcset start style title type value width",
);

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

interface Tag {
  name: string;
  closes: boolean;
  rest: string;
  end: number;
}

/** Tag parser: `>` inside quotes doesn't end a tag. If a tag is unclosed that way, quotes are ignored for the rest. */
function tagReader(html: string): (start: number) => Tag | null {
  const last = { ">": html.lastIndexOf(">"), '"': html.lastIndexOf('"'), "'": html.lastIndexOf("'") };
  const opening = /<(\/?)([a-z][a-z\d:-]*)/iy;
  let withQuotes = true;

  function endOf(from: number): number {
    let afterEquals = false;
    for (let at = from; withQuotes && at <= last[">"]; at++) {
      const sign = html[at]!;
      if (sign === ">") return at;
      if (afterEquals && (sign === '"' || sign === "'")) {
        if (last[sign] <= at) break;
        at = html.indexOf(sign, at + 1);
        afterEquals = false;
      } else if (sign === "=") afterEquals = true;
      else if (sign > " ") afterEquals = false;
    }
    withQuotes = false;
    return html.indexOf(">", from);
  }

  return (start) => {
    if (start >= last[">"]) return null;
    opening.lastIndex = start;
    const match = opening.exec(html);
    if (match === null) return null;
    const end = endOf(opening.lastIndex);
    if (end === -1) return null;
    return { name: match[2]!.toLowerCase(), closes: match[1] !== "", rest: html.slice(opening.lastIndex, end), end: end + 1 };
  };
}

function endOfRaw(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?![a-z\\d-])[^>]*>?`, "gi");
  end.lastIndex = from;
  return end.exec(html) === null ? html.length : end.lastIndex;
}

function attributesOf(rest: string): string {
  let written = "";
  let count = 0;
  for (const [, name = "", double, unquoted, bare] of rest.matchAll(attribute)) {
    if (++count > mostAttributes) break;
    if (!read.has(name.toLowerCase())) continue;
    written += ` ${name.toLowerCase()}="${(double ?? unquoted ?? bare ?? "").replaceAll('"', "&quot;")}"`;
  }
  return written;
}

/** Keeps supported tags, well nested and within the depth limit. Linear time. `isTooMuch`: over the tag limit, nothing was read. */
export function wellNested(html: string): { html: string; flattened: boolean; isTooMuch: boolean } {
  const tagAt = tagReader(html);
  const out: string[] = [];
  const open: string[] = [];
  const unwanted = new Map<string, number>();
  const depths = { lists: 0, quotes: 0 };
  let flattened = false;
  let count = 0;
  let from = 0;

  const nest = (name: string, by: 1 | -1): void => {
    if (lists.has(name)) depths.lists += by;
    else if (name === "blockquote") depths.quotes += by;
  };
  const closeFrom = (first: number): void => {
    while (open.length > first) {
      const name = open.pop()!;
      nest(name, -1);
      out.push(`</${name}>`);
    }
  };
  const endOpen = (name: string): void => {
    const rule = ends[name];
    if (rule !== undefined) {
      for (let at = open.length - 1; at >= 0 && !rule.upTo.has(open[at]!); at--) {
        if (rule.closes.has(open[at]!)) return closeFrom(at);
      }
    } else if (headings.has(name) && headings.has(open.at(-1)!)) closeFrom(open.length - 1);
    if (!blocks.has(name)) return;
    for (let at = open.length - 1; at >= 0 && (open[at] === "p" || inline.has(open[at]!)); at--) {
      if (open[at] === "p") return closeFrom(at);
    }
  };
  const start = (name: string, rest: string): void => {
    endOpen(name);
    const link = name === "a" ? open.lastIndexOf("a") : -1;
    if (link !== -1 && open.slice(link).every((one) => inline.has(one))) closeFrom(link);
    const isDeep =
      open.length >= deepest ||
      (lists.has(name) && depths.lists >= deepestLists) ||
      (name === "blockquote" && depths.quotes >= deepestQuotes);
    if (isDeep || (name === "a" && open.includes("a"))) {
      flattened ||= isDeep;
      if (!inline.has(name)) out.push(" ");
      unwanted.set(name, (unwanted.get(name) ?? 0) + 1);
      return;
    }
    out.push(`<${name}${attributesOf(rest)}>`);
    open.push(name);
    nest(name, 1);
  };
  const end = (name: string): void => {
    const left = unwanted.get(name) ?? 0;
    if (left > 0) {
      unwanted.set(name, left - 1);
      if (!inline.has(name)) out.push(" ");
      return;
    }
    for (let at = open.length - 1; at >= 0; at--) {
      const one = open[at]!;
      if (one === name || (headings.has(name) && headings.has(one))) return closeFrom(at);
      if (walls.has(one) && !tableParts.has(name)) return;
    }
  };

  for (let next = html.indexOf("<"); next !== -1; next = html.indexOf("<", from)) {
    out.push(html.slice(from, next));
    from = next;
    const sign = html[next + 1];
    if (sign === "!" || sign === "?") {
      const isComment = html.startsWith("<!--", next);
      const close = isComment ? html.indexOf("-->", next + 2) : html.indexOf(">", next);
      // An unclosed comment hides the rest, as in browsers.
      from = close === -1 ? html.length : close + (isComment ? 3 : 1);
      if (html.startsWith("<![CDATA[", next)) {
        const cdata = html.indexOf("]]>", next);
        from = cdata === -1 ? html.length : cdata + 3;
        out.push(
          html
            .slice(next + 9, cdata === -1 ? html.length : cdata)
            .replaceAll("&", "&amp;")
            .replaceAll("<", "&lt;"),
        );
      }
      continue;
    }
    const tag = tagAt(next);
    if (tag === null) {
      out.push("&lt;");
      from = next + 1;
      continue;
    }
    if (++count > mostTags) return { html: "", flattened, isTooMuch: true };
    from = tag.end;
    const { name, closes, rest } = tag;
    if (removedElements.has(name) || raw.has(name)) {
      if (closes) continue;
      if (name === "textarea" || name === "select") out.push("<input>"); // keeps a trace of the form
      const isOver = rest.endsWith("/") && !raw.has(name);
      const inner = tag.end;
      if (!isOver) from = endOfRaw(html, name, inner);
      if (name === "iframe") out.push(`<iframe${attributesOf(rest)}></iframe>`);
      if (name === "xmp" || name === "plaintext") {
        const text = html.slice(inner, from).replace(/<\/(?:xmp|plaintext)[^>]*>?$/i, "");
        out.push(`<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`);
      }
    } else if (single.has(name)) {
      endOpen(name);
      if (!closes || name === "br")
        out.push(name === "embed" ? `<iframe${attributesOf(rest)}></iframe>` : `<${name}${attributesOf(rest)}>`);
    } else if (blocks.has(name) || inline.has(name) || others.has(name)) {
      if (closes) end(name);
      else start(name, rest);
    }
  }
  out.push(html.slice(from));
  closeFrom(0);
  return { html: out.join(""), flattened, isTooMuch: false };
}
