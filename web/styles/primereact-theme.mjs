#!/usr/bin/env node
// Writes primereact-theme.css: the parts of PrimeReact's lara-light-blue we use, with our colour tokens.
// Run after an update of primereact: node web/styles/primereact-theme.mjs
import { readFileSync, writeFileSync } from "node:fs";

const included = /^\.p-(inputtext|inputswitch|dialog|overlaypanel|component|disabled|link)/;
const excluded =
  /p-button-(success|info|warning|help|danger|secondary|contrast|raised)|\.p-button\.p-(twitter)|treetable|paginator|p-variant-filled|input-filled|p-button-(group|set)|splitbutton|multiselect|password|chips|cascade|treeselect|mention|overlay-mask/;

const colours = {
  "#ffffff": { color: "--on-accent", other: "--panel" },
  "#fff": { color: "--on-accent", other: "--panel" },
  "#f9fafb": { color: "--text", other: "--sunk" },
  "#f8f9fa": { color: "--text", other: "--sunk" },
  "#f3f4f6": { color: "--text", other: "--hover" },
  "#e5e7eb": { color: "--muted", other: "--line" },
  "#d1d5db": { color: "--muted", border: "--control", other: "--line" },
  "#9ca3af": { color: "--muted", other: "--control" },
  "#6b7280": { color: "--muted", other: "--muted" },
  "#4b5563": { color: "--text", other: "--text" },
  "#374151": { color: "--text", other: "--text" },
  "#1f2937": { color: "--text", other: "--text" },
  "#111827": { color: "--text", other: "--text" },
  "#3b82f6": { color: "--accent", other: "--accent" },
  "#2563eb": { color: "--accent-hover", other: "--accent-hover" },
  "#1d4ed8": { color: "--accent", other: "--accent-hover" },
  "#eff6ff": { color: "--text", other: "--accent-soft" },
  "#bfdbfe": { color: "--accent", other: "--accent" },
  "#f8f8fa": { color: "--text", other: "--sunk" },
  "#b7bcc5": { color: "--muted", other: "--control" },
  "#f2f2f2": { color: "--muted", other: "--line" },
  "#e24c4c": { color: "--danger", other: "--danger" },
};

function token(property, colour) {
  const uses = colours[colour.toLowerCase()];
  if (!uses) return colour;
  const use =
    property === "color" || property === "fill" ? uses.color : property.startsWith("border") ? (uses.border ?? uses.other) : uses.other;
  return `var(${use})`;
}

function declaration(line) {
  const [, property, value] = /^\s*([\w-]+):\s*(.+);$/.exec(line) ?? [];
  if (!property || property.startsWith("--")) return undefined;
  if (property.startsWith("box-shadow") && /0\.2rem/.test(value)) return "box-shadow: 0 0 0 2px var(--bg), 0 0 0 4px var(--accent);";
  if (property === "box-shadow" && /rgba?\(/.test(value)) return "box-shadow: var(--shadow-float);";
  return `${property}: ${value.replace(/#[0-9a-f]{3,8}\b/gi, (colour) => token(property, colour)).replace(/rgba\(59, 130, 246, [\d.]+\)/g, "var(--accent-soft)")};`;
}

const source = readFileSync(new URL("../../node_modules/primereact/resources/themes/lara-light-blue/theme.css", import.meta.url), "utf8");
const rules = [];
for (const [, selectors, body] of source.matchAll(/^ {2}([^@{}\n][^{}@]*)\{([^{}]*)\}/gm)) {
  const chosen = selectors
    .split(",")
    .map((selector) => selector.trim())
    .filter((selector) => included.test(selector) && !excluded.test(selector));
  const lines = body.split("\n").map(declaration).filter(Boolean);
  if (chosen.length && lines.length) rules.push(`  ${chosen.join(",\n  ")} {\n${lines.map((line) => `    ${line}`).join("\n")}\n  }`);
}
const unmapped = rules.join("\n").match(/#[0-9a-f]{6}\b|rgba\([^)]*\)/gi) ?? [];
if (unmapped.length) console.warn("colours without a token:", [...new Set(unmapped)].join(" "));
const head =
  "/* Made by primereact-theme.mjs from PrimeReact's lara theme (MIT). Change that file or primereact-overrides.css, not this one. */";
writeFileSync(new URL("primereact-theme.css", import.meta.url), `${head}\n@layer primereact {\n${rules.join("\n")}\n}\n`);
console.log(`${rules.length} rules`);
