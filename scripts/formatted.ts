import { readFileSync } from "node:fs";
import { type FormatOptions, format } from "oxfmt";

/** Text formatted as by `npm run format`. `file`: path from the root; its extension selects the language. */
export async function formatted(file: string, text: string): Promise<string> {
  const {
    $schema: _,
    ignorePatterns: _ignored,
    ...options
  } = JSON.parse(readFileSync(rules, "utf8")) as FormatOptions & Record<string, unknown>;
  const { code, errors } = await format(file, text, options);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}

const rules = new URL("../.oxfmtrc.json", import.meta.url);
