import { defaultAppearance } from "#contract/appearance-choices.ts";
import { type Language, languageIn } from "#contract/i18n/index.ts";
import type { PublicWorkspace } from "./queries/releases.ts";

export const ourLanguage: Language = languageIn(defaultAppearance);

const cache = new WeakMap<PublicWorkspace, Language>();

export function languageOf(workspace: PublicWorkspace): Language {
  const language = cache.get(workspace) ?? languageIn(workspace.appearance);
  cache.set(workspace, language);
  return language;
}
