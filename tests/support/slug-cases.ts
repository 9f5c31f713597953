/** Titles and their slugs, tested against slugify and the database's private.slugify. */
export const slugCases: readonly (readonly [title: string, slug: string])[] = [
  ["Dark mode is here", "dark-mode-is-here"],
  ["  Version 2.0 -- faster & smaller!  ", "version-2-0-faster-smaller"],
  ["What's new", "whats-new"],
  ["Crème brûlée à la carte", "creme-brulee-a-la-carte"],
  ["Größe Øre Łódź", "grosse-ore-lodz"],
  ["ÆSIR", "aesir"],
  ["ALREADY-A-SLUG", "already-a-slug"],
  ["こんにちは", "post"],
  ["🎉", "post"],
  ["🎉 Launch 🎉", "launch"],
  ["../../etc/passwd", "etc-passwd"],
  ["<script>alert(1)</script>", "script-alert-1-script"],
  ["---", "post"],
  ["", "post"],
  ["a".repeat(200), "a".repeat(80)],
  [`${"a".repeat(79)} b`, "a".repeat(79)],
];
