import { readFileSync } from "node:fs";
import { type FormatOptions, format } from "oxfmt";

/** What a script writes, as `npm run format` would leave it. `file`: where it goes, relative to the project; its ending says the language. */
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
