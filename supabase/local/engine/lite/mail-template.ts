import fs from "node:fs";
import { authOf, type ProjectConfig } from "../../config.ts";

/** What GoTrue's templates may name, without the dot: {{ .SiteURL }}. */
export interface TemplateValues {
  SiteURL: string;
  TokenHash: string;
  Token: string;
  Email: string;
}

/** The subject and the filled template of one kind of mail in config.toml. */
export function renderMail(config: ProjectConfig, kind: string, values: TemplateValues): { subject: string; html: string } {
  const { email } = authOf(config) as { email: { template: Record<string, { subject?: string; content_path?: string }> } };
  const { subject = "", content_path: file } = email.template[kind] ?? {};
  const template = file ? fs.readFileSync(file, "utf8") : "";
  const fill = (text: string) =>
    text.replace(/\{\{\s*\.(\w+)\s*\}\}/g, (whole, name: string) => values[name as keyof TemplateValues] ?? whole);
  return { subject: fill(subject), html: fill(template) };
}
