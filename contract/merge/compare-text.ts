import { escapeHtml } from "../blocks/text.ts";
import { diff, type Hunk } from "./diff.ts";
import { isWord, mostPieces, piecesOfInline, piecesOfText } from "./merge-text.ts";

/** `marks`: bold, links and similar changed. */
export interface ComparedText {
  html: string;
  marks: boolean;
}

const isTag = (piece: string): boolean => piece.startsWith("<");

const differing = (old: readonly string[], now: readonly string[]): Hunk[] =>
  diff(old, now, mostPieces) ?? [{ from: 0, to: old.length, start: 0, end: now.length }];

/** Merges hunks with only whitespace and punctuation between them, for readability. */
function readable(hunks: readonly Hunk[], old: readonly string[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last && !old.slice(last.to, hunk.from).some(isWord)) joined[joined.length - 1] = { ...last, to: hunk.to, end: hunk.end };
    else joined.push(hunk);
  }
  return joined;
}

/** Word diff of inline HTML with the tags of `after`, so it stays well-formed. Unrelated texts follow one another. */
export function compareInline(before: string, after: string): ComparedText {
  if (before === after) return { html: after, marks: false };
  const [old, now] = [piecesOfInline(before), piecesOfInline(after)];
  const hunks = differing(old, now);
  const marks = hunks.some(({ from, to, start, end }) =>
    [...old.slice(from, to), ...now.slice(start, end)].some((piece) => isTag(piece) && piece !== "<br>"),
  );
  let html = "";
  let at = 0;
  for (const { from, to, start, end } of readable(hunks, old)) {
    const [removed, come] = [old.slice(from, to), now.slice(start, end)];
    html +=
      now.slice(at, start).join("") +
      wrapped(
        "del",
        removed.filter((piece) => !isTag(piece) || piece === "<br>"),
      ) +
      wrapped("ins", come);
    at = end;
  }
  return { html: html + now.slice(at).join(""), marks };
}

function wrapped(name: "ins" | "del", pieces: readonly string[]): string {
  let html = "";
  let run = "";
  const end = (): void => {
    if (run.trim() === "") html += name === "ins" ? run : "";
    else html += `<${name}>${run}</${name}>`;
    run = "";
  };
  for (const piece of pieces) {
    if (!isTag(piece)) run += piece;
    else if (name === "del") run += " ";
    else {
      end();
      html += piece;
    }
  }
  end();
  return html;
}

export function compareText(before: string, after: string): string {
  if (before === after) return escapeHtml(after);
  const [old, now] = [piecesOfText(before), piecesOfText(after)];
  const hunks = readable(differing(old, now), old);
  let html = "";
  let at = 0;
  const mark = (name: "ins" | "del", pieces: readonly string[]): string =>
    pieces.length === 0 ? "" : `<${name}>${escapeHtml(pieces.join(""))}</${name}>`;
  for (const { from, to, start, end } of hunks) {
    html += escapeHtml(now.slice(at, start).join("")) + mark("del", old.slice(from, to)) + mark("ins", now.slice(start, end));
    at = end;
  }
  return html + escapeHtml(now.slice(at).join(""));
}
