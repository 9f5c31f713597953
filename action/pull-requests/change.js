import { Failure, exitCodes } from "../../cli/lib/errors.js";

/** Defaults of the inputs in action.yml. */
export const defaults = {
  groups: "New: feature, enhancement, feat\nBetter: improvement, performance, perf\nFixed: bug, fix\nAlso:",
  skip: "skip-changelog, dependencies, chore, ci, test, build, refactor, style",
};

const words = (text) =>
  text
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");

/** Parses "New: feature, feat" lines into headings and labels. */
export function readGroups(text = "") {
  const lines = (text.trim() || defaults.groups).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [, heading, labels] = /^\s*([^:]+?)\s*(?::(.*))?$/.exec(line) ?? [];
    if (heading === undefined) throw new Failure(`Invalid group: "${line.trim()}". Use a line such as New: feature, feat`, exitCodes.usage);
    return { heading, labels: words(labels ?? "") };
  });
}

/**
 * The entry of a merged pull request: {heading, text, url, number}, or null if it's skipped. The text is the title without a conventional
 * commit's type, or the ```release-note block of the description; NONE in that block skips it.
 */
export function changeOf(event, { groups, skip = "" }) {
  const pull = event.pull_request;
  if (pull === undefined) throw new Failure("This run isn't about a pull request. Use on: pull_request_target", exitCodes.usage);
  if (pull.merged !== true) return null;
  const [, type = "", plain = pull.title] = /^(\w+)(?:\([^)]*\))?!?:\s+(.+)$/s.exec(pull.title) ?? [];
  const labels = [...(pull.labels ?? []).map(({ name }) => name), type].map((label) => label.toLowerCase());
  const has = (ones) => ones.some((one) => labels.includes(one));
  const [, note] = /^```release-notes?[ \t]*\r?\n([^]*?)^```/m.exec(pull.body ?? "") ?? [];
  if (has(words(skip.trim() || defaults.skip)) || /^\s*none\s*$/i.test(note ?? "")) return null;
  const group = groups.find((one) => has(one.labels)) ?? groups.find((one) => one.labels.length === 0) ?? groups.at(-1);
  const isKnownType = type !== "" && groups.some((one) => one.labels.includes(type.toLowerCase()));
  const text = (note?.trim() || (isKnownType ? plain : pull.title)).replace(/\s+/g, " ").trim();
  return { heading: group.heading, text: text.charAt(0).toUpperCase() + text.slice(1), url: pull.html_url, number: pull.number };
}

const week = (date) => {
  // ISO 8601: the week's year is that of its Thursday.
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7)));
  const year = thursday.getUTCFullYear();
  return { year, number: Math.ceil(((thursday - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7) };
};
const months = "January February March April May June July August September October November December".split(" ");

/** Name and title of the draft for that time. Deterministic, so repeated runs find it. */
export function draftOf(mergedAt, period = "week", name = "pull-requests") {
  const date = new Date(mergedAt);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  if (period === "all") return { name, title: "What's new" };
  if (period === "month")
    return { name: `${name}-${year}-${String(month + 1).padStart(2, "0")}`, title: `What's new in ${months[month]} ${year}` };
  if (period !== "week") throw new Failure(`Unknown period ${period}. Use week, month or all`, exitCodes.usage);
  const of = week(date);
  return { name: `${name}-${of.year}-w${String(of.number).padStart(2, "0")}`, title: `What's new in week ${of.number} of ${of.year}` };
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** A list item with escaped text and `code`. */
const lineOf = ({ text, url, number }) => {
  const html = text.replace(/`([^`]+)`|[^`]+|`/g, (part, code) => (code === undefined ? escaped(part) : `<code>${escaped(code)}</code>`));
  return `${html} (<a href="${escaped(url)}">#${number}</a>)`;
};

/** True if the text already links to the pull request, in any block. */
export const says = (blocks, { url }) => JSON.stringify(blocks).includes(JSON.stringify(`href="${escaped(url)}"`).slice(1, -1));

/** Appends an item to the list below its heading, which is created if missing. Other blocks keep their ids and comments. */
export function withChange(blocks, change, groups) {
  const item = { content: lineOf(change), meta: {}, items: [] };
  const plain = (block) =>
    String(block.data?.text ?? "")
      .replace(/<[^>]*>/g, "")
      .trim()
      .toLowerCase();
  const isHeading = (heading) => (block) => block.type === "header" && plain(block) === escaped(heading).toLowerCase();
  const next = [...blocks];
  const at = next.findIndex(isHeading(change.heading));
  if (at >= 0) {
    const end = next.findIndex((block, place) => place > at && block.type === "header");
    const last = end < 0 ? next.length : end;
    const list = next.findLastIndex(
      (block, place) => place > at && place < last && block.type === "list" && block.data?.style === "unordered",
    );
    if (list < 0) next.splice(last, 0, listOf(item));
    else next[list] = { ...next[list], data: { ...next[list].data, items: [...next[list].data.items, item] } };
    return next;
  }
  const later = groups.slice(groups.findIndex(({ heading }) => heading === change.heading) + 1);
  const before = next.findIndex((block) => later.some(({ heading }) => isHeading(heading)(block)));
  next.splice(before < 0 ? next.length : before, 0, { type: "header", data: { text: escaped(change.heading), level: 2 } }, listOf(item));
  return next;
}

const listOf = (item) => ({ type: "list", data: { style: "unordered", meta: {}, items: [item] } });
