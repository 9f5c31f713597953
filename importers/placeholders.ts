const placeholder = /\{\{\s*([\w. ]{1,60}?)\s*[,|]\s*fallback\s*=\s*(?:&quot;|["'“])?([^{}"”]{0,200}?)(?:&quot;|["'”])?\s*\}\}/g;

/** What AnnounceKit puts in for each reader, `{{userName,fallback=there}}`, as what it says to a stranger; and what was put in. */
export function withoutPlaceholders(text: string): { text: string; names: string[] } {
  if (!text.includes("{{")) return { text, names: [] };
  const names = new Set<string>();
  const said = text.replace(placeholder, (_, name: string, fallback: string) => {
    names.add(name.trim());
    return fallback.trim();
  });
  return { text: said, names: [...names] };
}

/** That readers were called by what is now said to everybody. */
export const placeholderNote = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`What it put in for each reader (${names.join(", ")}) is what it said to strangers`];
