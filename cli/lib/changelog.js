const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/;

/** `## [1.2.0] - 2026-11-23`, `## v1.2.0`, `# Version 1.2.0`: the version without v, or null. */
function versionIn(words) {
  const [, version] = /(?:^|[\s[(v])(\d+\.\d+(?:\.\d+)*(?:[-+][\w.+-]+)?)(?=$|[\s\]),:(])/i.exec(words) ?? [];
  return version ?? null;
}

/** Text below a version's heading (or a heading such as Unreleased), up to the next of its level; its headings start at level 2. Null if not found. */
export function sectionOf(changelog, wanted) {
  const lines = changelog.replace(/\r\n?/g, "\n").split("\n");
  const name = wanted.trim();
  const version = name.replace(/^v(?=\d)/i, "");
  let level = 0;
  let start = -1;
  let inCode = false;
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? null : heading.exec(line);
    if (found === null) continue;
    const [, signs, words] = found;
    if (start !== -1) {
      if (signs.length <= level) return lifted(lines.slice(start, at), level);
    } else if (versionIn(words) === version || words.replace(/[[\]]/g, "").toLowerCase() === name.toLowerCase()) {
      [level, start] = [signs.length, at + 1];
    }
  }
  return start === -1 ? null : lifted(lines.slice(start), level);
}

function lifted(lines, level) {
  let inCode = false;
  return lines
    .map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
      return inCode || !heading.test(line) ? line : line.slice(Math.max(0, level - 1));
    })
    .join("\n")
    .trim();
}
