/** Up to 2 tags joined with ' / ', then '+N more'. Source: specification, section 2. */
export function tagSummary(tags: readonly string[]): string {
  const shown = tags.slice(0, 2).join(" / ");
  return tags.length > 2 ? `${shown} +${tags.length - 2} more` : shown;
}
