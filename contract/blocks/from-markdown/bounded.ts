import type { Options } from "mdast-util-from-markdown";
import { gfm } from "micromark-extension-gfm";

type Extension = Extract<NonNullable<Options["extensions"]>[number], { text?: unknown }>;
type Construct = Extract<NonNullable<NonNullable<Extension["text"]>[number]>, { tokenize: unknown }>;
type Context = ThisParameterType<Construct["tokenize"]>;

type State = Exclude<ReturnType<Parameters<Construct["tokenize"]>[1]>, undefined>;

const mostSigns = 600;
/** Link definitions; the parser scans all of them at each `]`. */
const mostDefinitions = 500;
/** Setext underlines; at each the parser rewrites all preceding lines. */
const mostUnderlines = 500;
/** Lookahead for the end of inline code and of link URLs: without one the parser scans to the end of the paragraph. */
const codeReach = 2_000;
const addressReach = 2_500;
const nearAddress = 300;
const mostFarAddresses = 100;
const commentReach = 300;

const backtick = "`".charCodeAt(0);
/** Any character but an escape or a line ending (codes below -2). */
const isPlain = (code: number | null): boolean => code !== null && code > -3 && code !== "\\".charCodeAt(0) && code !== "&".charCodeAt(0);
const signs = [..."!*<[]_`~"].map((sign) => sign.charCodeAt(0));

/** GitHub's tables, task lists and strikethrough; ./inline.ts finds bare URLs in one pass. Footnotes are dropped, their text stays. */
export function gfmOfOurs(): Extension {
  const { document: _, text = {}, ...rest } = gfm();
  const enabled = new Set(["strikethrough", "tasklistCheck"]);
  const constructsByCode = Object.entries(text).map(([code, constructs]) => {
    const list = [constructs].flat().filter((construct): construct is Construct => enabled.has(construct?.name ?? ""));
    return [code, list] as const;
  });
  return { ...rest, text: Object.fromEntries(constructsByCode.filter(([, list]) => list.length > 0)) };
}

/** Maps the start of each run of backticks to the next run of the same length. */
function nextRuns(source: string): Map<number, number> {
  const next = new Map<number, number>();
  const before = new Map<number, number>();
  for (const { 0: run, index } of source.matchAll(/`+/g)) {
    const earlier = before.get(run.length);
    if (earlier !== undefined) next.set(earlier, index);
    before.set(run.length, index);
  }
  return next;
}

/** Keeps micromark linear: it scans unpaired markers to the end of the paragraph or back over all others, so 100,000 `](` take minutes. */
export function bounded(source: string): Extension {
  const counts = new WeakMap<Context, number>();
  const runs = nextRuns(source);
  let far = 0;
  let definitions = 0;
  let underlines = 0;

  const endsWithin = (end: string, at: number, reach: number): boolean => source.slice(at, at + reach).includes(end);

  function hasEnd(at: number): boolean {
    switch (source[at]) {
      case "`":
        return (runs.get(at) ?? Infinity) - at <= codeReach;
      case "<": {
        const start = source.slice(at + 1, at + 4);
        if (start === "!--") return endsWithin("-->", at, commentReach);
        if (start.startsWith("![")) return endsWithin("]]>", at, commentReach);
        if (start.startsWith("!")) return endsWithin(">", at, commentReach);
        return !start.startsWith("?") || endsWithin("?>", at, commentReach);
      }
      case "]":
        if (source[at + 1] !== "(" || endsWithin(")", at, nearAddress)) return true;
        return endsWithin(")", at, addressReach) && ++far <= mostFarAddresses;
      default:
        return true;
    }
  }

  const sign: Construct = {
    tokenize(effects, ok, nok) {
      const count = (counts.get(this) ?? 0) + 1;
      counts.set(this, count);
      let goesOn = (_code: number | null): boolean => false;
      const rest = (code: number | null): State | undefined => {
        if (goesOn(code)) {
          effects.consume(code);
          return rest;
        }
        effects.exit("data");
        return ok(code);
      };
      return (code) => {
        const isTooMany = count > mostSigns;
        if (!isTooMany && hasEnd(this.now().offset)) return nok(code);
        if (isTooMany) goesOn = isPlain;
        else if (code === backtick) goesOn = (next) => next === backtick; // half a run would be a different one
        effects.enter("data");
        effects.consume(code);
        return rest;
      };
    },
  };
  const definition: Construct = {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        if (++definitions === mostDefinitions) this.parser.constructs.disable.null?.push("definition");
        return nok(code);
      };
    },
  };
  const underline: Construct = {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        if (++underlines === mostUnderlines) this.parser.constructs.disable.null?.push("setextUnderline");
        return nok(code);
      };
    },
  };
  return {
    text: Object.fromEntries(signs.map((code) => [code, sign])),
    contentInitial: { ["[".charCodeAt(0)]: definition },
    flow: { ["-".charCodeAt(0)]: underline, ["=".charCodeAt(0)]: underline },
  };
}

/** Nesting of lists and quotes by leading markers; posts allow 8 levels. */
const mostMarkers = 16;
const deepestIndent = 48;
const marker = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const rule = /^[ \t>]*([-*])(?:[ \t]*\1)*[ \t]*$/;

/** Escapes markers beyond that depth: parsing a line costs its nesting depth. `onMarker` is called for each remaining one. */
export function shallow(line: string, onMarker: (isQuote: boolean) => void): string {
  let at = 0;
  for (let count = 0; ; count++) {
    marker.lastIndex = at;
    const match = marker.exec(line);
    if (match === null) return line;
    const end = marker.lastIndex;
    if (count === mostMarkers || match[0].search(/\S/) > deepestIndent) {
      return count === mostMarkers && rule.test(line) ? line : `${line.slice(0, end - 1)}\\${line.slice(end - 1)}`;
    }
    onMarker(line[end - 1] === ">");
    at = end;
  }
}
