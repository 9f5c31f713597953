/** A no-break space is kept. */
const blank = /[ \t\n\r]/;

/** Trims whitespace and `<br>` at both ends. Hand-written: a regular expression would be quadratic. */
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
