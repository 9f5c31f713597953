import { type AppearanceChoices, defaultAppearance, type Font } from "#contract/appearance-choices.ts";
import { blockTypes } from "#contract/blocks/block-types.ts";
import { fontFiles } from "#contract/font-files.ts";
import type { PageFont } from "#contract/font-sources.ts";
import { type Accent, accentColours } from "#contract/rules/accent.ts";

export type Styled = Pick<AppearanceChoices, "accent" | "theme" | "font">;

const colours = {
  light: `--bg: #fbfaf8; --panel: #ffffff; --line: #ddd8cf; --control: #857b6d; --text: #1f1b16; --muted: #5f574c; --mark: #fbe9a9; --well: #f3f1ed;
  --blue: #1d4f91; --blue-ground: #e3edf9; --green: #17613a; --green-ground: #e0f3e7; --red: #9c2320; --red-ground: #fbe6e4;
  --purple: #5b3a9e; --purple-ground: #eee7fa; --orange: #8a4600; --orange-ground: #fcecd9; --gray: #4a4640; --gray-ground: #ecebe8;`,
  dark: `--bg: #161412; --panel: #1e1b18; --line: #37322c; --control: #847a6e; --text: #f2efe9; --muted: #b3aa9d; --mark: #5c4a12; --well: #28241f;
  --blue: #a9c8f5; --blue-ground: #1b2a40; --green: #93d9b0; --green-ground: #17301f; --red: #f7aaa5; --red-ground: #3b1e1c;
  --purple: #cbb6f5; --purple-ground: #2b2240; --orange: #f3bf8a; --orange-ground: #372613; --gray: #cbc5bb; --gray-ground: #2d2a26;`,
} as const;

const accentTokens = ({ accent, hover, onAccent }: Accent): string =>
  `--accent: ${accent}; --accent-hover: ${hover}; --on-accent: ${onAccent};`;

function tokens({ accent, theme }: Styled): string {
  const of = accentColours(accent);
  const side = (name: "light" | "dark") => `${colours[name]} ${accentTokens(of[name])}`;
  if (theme !== "system") return `:root { color-scheme: ${theme}; ${side(theme)} }`;
  return `:root { color-scheme: light dark; ${side("light")} }\n@media (prefers-color-scheme: dark) { :root { ${side("dark")} } }`;
}

const systemSans = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

interface StandIn {
  regular: readonly string[];
  /** Separate bold font, or the browser synthesises bold. */
  bold: readonly string[];
  /** size-adjust in percent, regular and bold. */
  wide: number;
  wideBold: number;
  ascent: number;
  descent: number;
  behind: string;
}

const arial = {
  regular: ["Arial", "Liberation Sans"],
  bold: ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold"],
  behind: systemSans,
};

/** Fallback fonts with our metrics (measured on English text), so lines don't reflow when the web font loads. */
const standIns: Readonly<Record<PageFont, StandIn>> = {
  inter: { ...arial, wide: 107.12, wideBold: 101.15, ascent: 96.88, descent: 24.12 },
  geist: { ...arial, wide: 102.79, wideBold: 100.22, ascent: 100.5, descent: 29.5 },
  "source-serif": {
    regular: ["Times New Roman", "Liberation Serif"],
    bold: ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"],
    ...{ wide: 117.85, wideBold: 112.97, ascent: 103.6, descent: 33.5 },
    behind: 'Georgia, "Noto Serif", serif',
  },
};

/** ascent-override and descent-override apply before size-adjust. */
function near(names: readonly string[], wide: number, weights: string, { ascent, descent }: StandIn): string {
  const [above, below] = [ascent, descent].map((height) => ((height * 100) / wide).toFixed(2));
  const sources = names.map((name) => `local("${name}")`).join(", ");
  return `@font-face { font-family: Near; src: ${sources}; font-weight: ${weights}; size-adjust: ${wide}%; ascent-override: ${above}%; descent-override: ${below}%; line-gap-override: 0%; }`;
}

/** Preload width. On phones the font would delay the first text by half a second, so it's used from the next page. */
export const wideEnough = "(min-width: 48rem)";

/** font-display: optional, so text never shifts. */
function faces(font: Font): string {
  if (font === "system") return `:root { --sans: ${systemSans}; }`;
  const standIn = standIns[font];
  const { regular, bold, wide, wideBold, behind } = standIn;
  const served = fontFiles[font].map(
    ({ url, style, range }) =>
      `@font-face { font-family: Served; src: url(${url}) format("woff2"); font-weight: 200 900; font-style: ${style}; font-display: optional; unicode-range: ${range}; }`,
  );
  return `${served.join("\n")}
${near(regular, wide, "200 550", standIn)}
${near(bold, wideBold, "551 900", standIn)}
:root { --sans: Near, ${behind}; }
:root.near { --sans: Served, Near, ${behind}; }
@media ${wideEnough} { :root { --sans: Served, Near, ${behind}; } }
.later { position: absolute; visibility: hidden; animation: later 0s 2s forwards; }
@keyframes later { to { font-family: Served; } }`;
}

const frame = `
*, ::before, ::after { box-sizing: border-box; }
:root { --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
html { -webkit-text-size-adjust: 100%; scrollbar-gutter: stable; }
body {
  margin: 0; min-height: 100dvh; display: flex; flex-direction: column; background: var(--bg); color: var(--text);
  font: 400 1.0625rem/1.625rem var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
h1, h2, h3, h4, p, ul, ol, figure, blockquote, pre { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
:is(h1, h2, h3, h4, .brand):dir(rtl) { letter-spacing: normal; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; background: var(--accent); color: var(--on-accent); padding: .5rem 1rem; border-radius: 6px; }
.skip:focus { top: .75rem; color: var(--on-accent); z-index: 1; }
.wrap { width: 100%; max-width: 60rem; margin-inline: auto; padding-inline: 1.5rem; }
.masthead .wrap { display: flex; align-items: center; justify-content: space-between; gap: 1.5rem; padding-block: 1.5rem; }
.brand { display: flex; align-items: center; gap: .75rem; min-width: 0; min-height: 2.5rem; margin-inline-end: auto; color: var(--text); font-weight: 600; letter-spacing: -.01em; text-decoration: none; }
.brand:hover { color: var(--accent); }
.brand img { width: 2.25rem; height: 2.25rem; border-radius: 6px; object-fit: contain; flex: none; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.website { flex: none; max-width: 50%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .9375rem; color: var(--muted); text-decoration: none; line-height: 2.5rem; }
.website:hover { text-decoration: underline; }
.masthead .wrap { flex-wrap: wrap; row-gap: 0; }
.masthead .button { padding-block: .4375rem; white-space: nowrap; }
@media (max-width: 30rem) { .masthead:has(.button) :is(.website, .links) { order: 1; flex-basis: 100%; max-width: none; } }
.links ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; padding: 0; list-style: none; font-size: .9375rem; line-height: 2.5rem; }
.links a { color: var(--muted); text-decoration: none; }
.links a:hover { color: var(--text); text-decoration: underline; }
main { flex: 1; }
.foot { margin-top: 6rem; color: var(--muted); font-size: .8125rem; line-height: 1.125rem; }
.foot .line { flex-basis: 100%; order: -1; }
.foot .wrap { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1.5rem; padding-block: 2rem; border-top: 1px solid var(--line); max-width: 57rem; padding-inline: 0; }
.foot a { color: inherit; }
.foot ul { display: flex; gap: 1rem; list-style: none; padding: 0; }
@media (max-width: 60rem) { .foot .wrap { width: auto; margin-inline: 1.5rem; } }
.button { display: inline-block; background: var(--accent); color: var(--on-accent); font: 600 .9375rem/1.375rem var(--sans); padding: .5625rem 1rem; border: 0; border-radius: 6px; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--accent-hover); color: var(--on-accent); }
.tags { display: flex; flex-wrap: wrap; gap: .375rem; padding: 0; list-style: none; }
.tags li { display: flex; min-width: 0; }
.tag { display: inline-block; font-size: .8125rem; line-height: 1.125rem; font-weight: 500; padding: .1875rem .625rem; border-radius: 999px; text-decoration: none; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
a.tag:hover { color: var(--ink); text-decoration: underline; }
${["blue", "green", "red", "purple", "orange", "gray"].map((colour) => `.tag-${colour} { --ink: var(--${colour}); --ground: var(--${colour}-ground); }`).join("\n")}
.note { max-width: 34rem; margin-inline: auto; padding: 4rem 1.5rem 0; text-align: center; display: grid; justify-items: center; gap: 1rem; }
.note svg { width: 7.5rem; height: 6rem; color: var(--control); }
.note h1, .note h2 { font: 600 1.625rem/2rem var(--sans); letter-spacing: -.015em; text-wrap: balance; }
.note p { color: var(--muted); text-wrap: pretty; }
.ask { display: flex; flex-wrap: wrap; justify-content: center; gap: .75rem; margin-top: .5rem; }
.ask label { flex-basis: 100%; font-size: .9375rem; font-weight: 500; }
.ask span { display: flex; align-items: center; border: 1px solid var(--control); border-radius: 6px; background: var(--panel); color: var(--muted); font-size: .9375rem; padding-inline-end: .75rem; }
.ask span:focus-within { outline: 2px solid var(--accent); outline-offset: 2px; }
.ask input { font: 400 1rem/1.5rem var(--sans); width: 9rem; padding-block: .5rem; padding-inline: .75rem .125rem; border: 0; border-radius: 6px; background: none; color: var(--text); text-align: end; outline: 0; }
.ask input::placeholder { color: var(--muted); opacity: 1; }
`;

const list = `
.title { padding-block: 2.5rem 2rem; }
.title h1 { font: 650 2.75rem/3.25rem var(--sans); letter-spacing: -.028em; }
.title p { color: var(--muted); margin-top: .5rem; }
.entries { display: grid; gap: 4rem; padding: 0; list-style: none; }
.entry { display: grid; grid-template-columns: 11rem minmax(0, 1fr); column-gap: 3rem; }
.entry .when { color: var(--muted); font-size: .9375rem; line-height: 2.125rem; align-self: start; position: sticky; top: 1rem; }
.when a:not(.tag) { color: inherit; text-decoration: none; }
.when a:not(.tag):hover { text-decoration: underline; }
.ago { color: var(--muted); }
.entry .ago { display: block; font-size: .8125rem; line-height: 1.125rem; margin-top: -.375rem; }
.post .ago::before { content: " · "; }
.entry.whole + .entry.whole { padding-top: 4rem; border-top: 1px solid var(--line); }
.entry.whole .when .tags { margin-top: .5rem; }
.entry.whole article { max-width: 41rem; }
.entry.whole h2 { font-size: 1.75rem; line-height: 2.25rem; letter-spacing: -.022em; }
.entry.whole .author { margin-top: .5rem; font-size: .9375rem; }
.entry .cover { margin-top: 1.5rem; }
:where(.entry .body) ul { list-style-type: disc; }
:where(.entry .body :is(ul, ol)) ul { list-style-type: circle; }
.entry .body { margin-top: 1.25rem; font-size: 1.0625rem; line-height: 1.75rem; }
.entry .body :is(h2, h3, h4) { line-height: 1.875rem; }
.entry .body h2 { font-size: 1.375rem; }
.entry .body h3, .entry .body .h3 { font-size: 1.1875rem; }
.entry .body h4, .entry .body .h4 { font-size: 1.0625rem; }
.entry .more { margin-top: .75rem; }
.edit { margin-top: 1.5rem; font-size: .9375rem; }
.entry h2 { font: 600 1.5rem/2.125rem var(--sans); letter-spacing: -.018em; text-wrap: balance; }
.entry h2 a { color: inherit; text-decoration: none; }
.entry h2 a:hover { color: var(--accent); text-decoration: underline; text-decoration-thickness: 2px; }
.entry p:not(.body p) { max-width: 36rem; color: var(--muted); margin-top: .5rem; text-wrap: pretty; }
.entry .tags { margin-top: 1rem; }
.entry .picture { display: block; margin-top: 1.25rem; }
.entry .picture img { display: block; width: 100%; height: auto; aspect-ratio: 16 / 9; object-fit: cover; border: 1px solid var(--line); border-radius: 6px; background: var(--well); }
.finder { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; margin-bottom: 3.5rem; margin-inline-start: 14rem; }
.finder form { position: relative; max-width: 24rem; }
.finder button { position: absolute; inset-inline-end: 0; inset-block: 0; display: grid; place-items: center; width: 2.75rem; padding: 0; border: 0; background: none; color: var(--muted); cursor: pointer; }
.finder button:hover { color: var(--text); }
.finder input { width: 100%; padding-inline-end: 2.75rem; min-height: 2.5rem; font: 400 1rem/1.5rem var(--sans); color: var(--text); background: var(--panel); border: 1px solid var(--control); border-radius: 6px; padding-block: .4375rem; padding-inline-start: .75rem; appearance: none; }
.finder input::placeholder { color: var(--muted); opacity: 1; }
.tag[aria-current] { outline: 1px solid currentColor; }
.months { margin-top: 4.5rem; margin-inline-start: 14rem; font-size: .9375rem; line-height: 1.375rem; }
.months h2 { font: 600 .9375rem/1.375rem var(--sans); }
.months ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0 1.5rem; margin-top: .5rem; padding: 0; list-style: none; }
.months a { display: inline-block; text-decoration: none; padding-block: .375rem; }
.months a:hover { text-decoration: underline; }
.months a[aria-current] { font-weight: 600; }
.months span { color: var(--muted); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pager { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 4.5rem; margin-inline-start: 14rem; font-size: .9375rem; }
.pager a { text-decoration: none; line-height: 2.5rem; font-weight: 500; }
.pager a:hover { text-decoration: underline; }
.pager span { color: var(--muted); }
@media (max-width: 48rem) {
  .title { padding-block: 1rem 1.5rem; }
  .title h1 { font-size: 2.125rem; line-height: 2.5rem; }
  .entries { gap: 3rem; }
  .entry { grid-template-columns: minmax(0, 1fr); }
  .entry .when { position: static; display: flex; flex-wrap: wrap; align-items: center; gap: .375rem .75rem; line-height: 1.375rem; margin-bottom: .5rem; }
  .entry .ago { display: inline; font-size: inherit; margin: 0; }
  .entry .ago::before { content: " · "; }
  .entry.whole .when .tags { margin-top: 0; }
  .entry.whole + .entry.whole { padding-top: 3rem; }
  .entry.whole h2 { font-size: 1.5rem; line-height: 2rem; }
  .entry h2 { font-size: 1.375rem; line-height: 1.875rem; }
  .pager, .finder, .months { margin-inline-start: 0; }
  .finder { margin-bottom: 2.5rem; }
}`;

const article = `
.post { max-width: 41rem; margin-inline: auto; padding-inline: 1.5rem; padding-top: 2.5rem; }
.post .when { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; color: var(--muted); font-size: .9375rem; line-height: 1.375rem; }
.post h1 { font: 650 2.625rem/3.125rem var(--sans); letter-spacing: -.026em; margin-top: 1rem; text-wrap: balance; }
.post .author { margin-top: 1rem; color: var(--muted); font-size: .9375rem; line-height: 1.375rem; }
.action { margin-top: 1.5rem; }
.post .cover { margin-top: 2.25rem; }
.cover img { display: block; width: 100%; height: auto; border-radius: 6px; background: var(--well); }
.body { margin-top: 2.5rem; font-size: 1.125rem; line-height: 1.875rem; }
.body > * + * { margin-top: 1.5rem; }
.entry p:not(.author), .body :is(p, h2, h3, h4, li, figcaption, th, td) { unicode-bidi: plaintext; }
.body mark { background: var(--mark); color: inherit; border-radius: 2px; padding-inline: .125em; }
.body :is(sup, sub) { line-height: 0; }
.body code { font: .875em/1.5 var(--mono); background: var(--well); border-radius: 4px; padding: .125em .3em; overflow-wrap: anywhere; direction: ltr; unicode-bidi: isolate; }
.body figcaption { margin-top: .625rem; color: var(--muted); font-size: .9375rem; line-height: 1.375rem; text-align: center; }
${Object.values(blockTypes)
  .map(({ style }) => style.trim())
  .filter((rules) => rules !== "")
  .join("\n")}
.body .large { display: block; cursor: zoom-in; }
.anchor { margin-inline-start: .35em; color: var(--muted); font-weight: 400; text-decoration: none; }
.anchor::before { content: "#"; }
@media (hover: hover) { .anchor { opacity: 0; } :is(h2, h3, h4):hover > .anchor, .anchor:focus-visible { opacity: 1; } }
:target { scroll-margin-top: 1.5rem; }
.share { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; width: calc(100% - 3rem); max-width: 38rem; margin: 3.5rem auto 0; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; line-height: 2.25rem; color: var(--muted); }
.share .address { flex: 1 1 16rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; user-select: all; font-size: .8125rem; }
.share ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0; list-style: none; }
.share a { color: inherit; }
.share a:hover { color: var(--accent); }
.reading { position: absolute; }
.onward { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; max-width: 41rem; margin: 4rem auto 0; padding-inline: 1.5rem; font-size: .9375rem; line-height: 1.375rem; }
.onward a { font-weight: 500; text-decoration: none; padding-block: .5rem; text-wrap: balance; }
.onward a:hover { text-decoration: underline; }
.onward a[rel="next"] { grid-column: 2; text-align: end; }
.onward a:last-child { grid-column: 1 / -1; }
.onward span { display: block; color: var(--muted); font-weight: 400; }
@media (max-width: 48rem) {
  .post { padding-top: 1rem; }
  .post h1 { font-size: 2rem; line-height: 2.5rem; }
  .body { margin-top: 2rem; }
}`;

const subscribing = `
.trap { position: fixed; inset-inline-start: 0; top: -100vh; }
.subscribe, .subscription { font-size: .9375rem; line-height: 1.375rem; }
.subscribe { width: calc(100% - 3rem); max-width: 41rem; margin: 4.5rem auto 0; padding: 1.5rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; }
.subscribe h2 { font: 600 1.125rem/1.5rem var(--sans); letter-spacing: -.01em; }
.subscribe form { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 .5rem; }
.subscribe input[type="email"] { flex: 1 1 14rem; }
:is(.subscribe, .subscription) input:is([type="email"], [type="password"]) { min-width: 0; min-height: 2.5rem; font: 400 1rem/1.5rem var(--sans); color: var(--text); background: var(--bg); border: 1px solid var(--control); border-radius: 6px; padding: .4375rem .75rem; }
:is(.subscribe, .subscription) input::placeholder { color: var(--muted); opacity: 1; }
.subscribe .button { background: none; color: var(--accent); box-shadow: inset 0 0 0 1px currentColor; }
.subscribe .button:hover { color: var(--accent-hover); }
.wrap .subscribe { width: auto; margin-inline-start: 14rem; }
.subscription { max-width: 36rem; margin-inline: auto; padding: 2.5rem 1.5rem 0; display: grid; gap: 1rem; justify-items: start; }
.subscription h1 { font: 650 2rem/2.5rem var(--sans); letter-spacing: -.02em; text-wrap: balance; }
.subscription h2 { font: 600 1.125rem/1.5rem var(--sans); margin-top: 1rem; }
.subscription form { display: grid; gap: .75rem; justify-items: start; width: 100%; }
.subscription form > label:not(.choice) { font-weight: 500; margin-bottom: -.5rem; }
.subscription input:is([type="email"], [type="password"]) { width: 100%; }
.subscription input[aria-invalid] { border-color: var(--red); }
.subscription fieldset { border: 0; margin: .5rem 0; padding: 0; display: grid; gap: .25rem; }
.subscription legend { font-weight: 600; padding: 0; margin-bottom: .25rem; }
.subscription :is(fieldset label, .choice) { display: flex; gap: .625rem; align-items: center; min-height: 2.25rem; }
.subscription input:is([type="radio"], [type="checkbox"]) { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); flex: none; }
.subscription fieldset p, .subscription .aside, .subscription details p { color: var(--muted); }
.subscription .wrong { color: var(--red); }
.subscription .done { width: 100%; padding: .625rem .875rem; border-radius: 6px; color: var(--green); background: var(--green-ground); }
.subscription strong { overflow-wrap: anywhere; }
.subscription summary { cursor: pointer; min-height: 2.25rem; line-height: 2.25rem; }
.subscription details > * + * { margin-top: .75rem; }
.button.quiet { background: none; color: var(--red); box-shadow: inset 0 0 0 1px currentColor; }
.plain { font: inherit; color: var(--accent); background: none; border: 0; padding: .5rem 0; text-decoration: underline; text-underline-offset: .2em; cursor: pointer; }
@media (max-width: 48rem) { .wrap .subscribe { margin-inline-start: 0; } }`;

const paper = `
@media print {
  :root { --bg: #fff; --panel: #fff; --well: #f4f4f4; --text: #000; --muted: #444; --line: #bbb; --accent: #000; color-scheme: light; }
  .skip, .website, .links, .masthead .button, .share, .edit, .anchor, .more, .finder, .pager, .months, .onward, .subscribe, .reading, .foot { display: none; }
  .post, .wrap { max-width: none; padding-inline: 0; }
  .body { font-size: 11pt; line-height: 1.5; }
  .body pre code { white-space: pre-wrap; width: auto; }
  .body figure, .body pre, .body tr { break-inside: avoid; }
  .entry .when { position: static; }
  .body h2, .body h3, .body h4 { break-after: avoid; }
}`;

const rules = [frame, list, article, subscribing, paper].join("\n");

export interface Style {
  text: string;
  hash: string;
}

const cache = new Map<string, Style>();
const maxEntries = 100;

/** Inline, so rendering never waits. */
export function styleFor({ accent, theme, font }: Styled): Style {
  const key = `${accent} ${theme} ${font}`;
  const style = cache.get(key) ?? makeStyle({ accent, theme, font });
  cache.delete(key);
  cache.set(key, style);
  const [oldest] = cache.keys();
  if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
  return style;
}

/** Synchronous, unlike WebCrypto. Not imported, as hosted's Deno would fetch its types from npm. */
interface Hashing {
  createHash(name: "sha256"): { update(text: string): { digest(form: "base64"): string } };
}
const { createHash } = (await import("node:crypto" as string)) as Hashing;

function makeStyle(look: Styled): Style {
  const text = withoutLayout([tokens(look), faces(look.font), rules].join("\n"));
  return { text, hash: hashOf(text) };
}

/** Minifies by lines; a regular expression takes ten times as long on first use. */
const withoutLayout = (rules: string): string =>
  rules
    .split("\n")
    .map((line) => line.trimStart())
    .filter((line) => line !== "")
    .join("\n")
    .trimEnd();

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export function styleOf(rules: string): Style {
  const text = withoutLayout(rules);
  return { text, hash: hashOf(text) };
}

export const ourStyle: Style = styleFor(defaultAppearance);
