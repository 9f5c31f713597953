const title = /^(?:([!-/:-@[-`{-~])\1{2,}[ \t]*\n)?[ \t]*(\S.*)\n([!-/:-@[-`{-~])\3{2,}[ \t]*$/gm;
const target = /^( *)\.\. +_`?([^:`\n]+)`?: +(\S+)[ \t]*$/gm;
const admonition = /^\.\. +(note|important|hint|tip|warning|caution|attention|danger|error|seealso):: *(.*)$/gm;
const comment = /^( *)\.\.(?: +(?!.*::).*)?\n(?:\1 +.*\n|[ \t]*\n)*/gm;
const directive = /^( *)\.\. .*::.*\n(?: +:[\w-]+:.*\n)*/gm;
const inline =
  /``.{1,200}?``(?!`)|:([\w:+.-]{1,60}):`([^`]{1,200})`|`([^`<]{0,200}?)\s*<([^`<>]{1,200})>`__?|`([^`]{1,200})`(__?)?|(?<![\w/.-])(#?\w[\w.-]{0,100})_(?![\w`])|<(?=[a-z/!])/gis;

/** `:issue:`5``, `:func:`~a.b``, `:doc:`text <target>`` */
function roleText(role: string, content: string): string {
  const [, words] = /^([^<]+?)\s*<[^<>]+>$/.exec(content) ?? [];
  if (words !== undefined || /^(?:doc|ref|term)$/.test(role)) return words ?? content;
  if (/^\d+$/.test(content)) return /^(?:pep|rfc)$/i.test(role) ? `${role.toUpperCase()} ${content}` : `#${content}`;
  return `\`${content.replace(/^~.*\./, "").replace(/^[~!.]/, "")}\``;
}

/** reStructuredText, as in Python's changelogs, as Markdown. In both, deeper indentation is a code block. */
export function markdownFromRst(text: string): string {
  const styles: string[] = [];
  const labels = new Set([...text.matchAll(target)].map(([, , label = ""]) => label.toLowerCase()));
  return text
    .replace(title, (_, over = "", words: string, under: string) => {
      const style = over + under;
      if (!styles.includes(style)) styles.push(style);
      return `${"#".repeat(Math.min(styles.indexOf(style) + 1, 6))} ${words.trim()}\n`;
    })
    .replace(target, "$1[$2]: $3")
    .replace(admonition, "!!! $1\n    $2")
    .replace(comment, "")
    .replace(directive, "$1<!-- -->\n")
    .replace(/::[ \t]*$/gm, ":")
    .replace(inline, (whole, role?: string, content = "", words?: string, url = "", name?: string, refers?: string, label?: string) => {
      if (role !== undefined) return roleText(role, content.replace(/\s+/g, " "));
      if (words !== undefined) return `[${words || url}](${url.replace(/\s+/g, "")})`;
      if (name !== undefined) return refers === undefined ? `\`${name}\`` : `[${name}]`;
      if (label !== undefined) return labels.has(label.toLowerCase()) ? `[${label}]` : whole;
      return whole === "<" ? "\\<" : whole;
    });
}
