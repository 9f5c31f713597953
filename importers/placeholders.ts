const placeholder = /\{\{\s*([\w. ]{1,60}?)\s*[,|]\s*fallback\s*=\s*(?:&quot;|["'“])?([^{}"”]{0,200}?)(?:&quot;|["'”])?\s*\}\}/g;

/** Replaces AnnounceKit's placeholders such as `{{userName,fallback=there}}` with their fallback. */
export function withoutPlaceholders(text: string): { text: string; names: string[] } {
  if (!text.includes("{{")) return { text, names: [] };
  const names = new Set<string>();
  const output = text.replace(placeholder, (_, name: string, fallback: string) => {
    names.add(name.trim());
    return fallback.trim();
  });
  return { text: output, names: [...names] };
}

export const placeholderNote = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Placeholders for each reader (${names.join(", ")}) were replaced by their fallbacks`];
