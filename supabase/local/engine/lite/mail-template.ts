import fs from "node:fs";
import { authOf, type ProjectConfig } from "../../config.ts";

export interface TemplateValues {
  SiteURL: string;
  TokenHash: string;
  Token: string;
  Email: string;
}

export function renderMail(config: ProjectConfig, kind: string, values: TemplateValues): { subject: string; html: string } {
  const { email } = authOf(config) as { email: { template: Record<string, { subject?: string; content_path?: string }> } };
  const { subject = "", content_path: file } = email.template[kind] ?? {};
  const template = file ? fs.readFileSync(file, "utf8") : "";
  const fill = (text: string) =>
    text.replace(/\{\{\s*\.(\w+)\s*\}\}/g, (whole, name: string) => values[name as keyof TemplateValues] ?? whole);
  return { subject: fill(subject), html: fill(template) };
}
