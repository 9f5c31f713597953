/** A blank that does not break is a sign like any other. */
const blank = /[ \t\n\r]/;

/** Inline HTML without blanks and `<br>` at its ends. Not an expression: one that looks for the end of a run begins anew at each sign of it. */
export function trimBreaks(html: string): string {
  let start = 0;
  let end = html.length;
  for (;;) {
    if (start < end && blank.test(html[start]!)) start++;
    else if (html.startsWith("<br>", start)) start += 4;
    else break;
  }
  for (;;) {
    if (end > start && blank.test(html[end - 1]!)) end--;
    else if (end - 4 >= start && html.startsWith("<br>", end - 4)) end -= 4;
    else break;
  }
  return html.slice(start, end);
}
