import { type Block, blockTypes } from "#contract/blocks/block-types.ts";
import { choiceOf } from "#contract/merge/merge-versions.ts";
import { type Choices, type Merge, type WholeField, wholeFields } from "#contract/merge/types.ts";
import type { Intent } from "../write.ts";

export type Question = { field: WholeField } | { block: Block["type"]; id: string };

export function questionsOf(merge: Merge): Question[] {
  const fields = wholeFields.filter((field) => "collision" in merge[field]);
  const blocks = merge.blocks.flatMap((place): Question[] => {
    if (!("collision" in place)) return [];
    const { id, mine, theirs, base } = place.collision;
    const block = mine ?? theirs ?? base;
    return block ? [{ block: block.type, id }] : [];
  });
  return [...fields.map((field) => ({ field })), ...blocks];
}

export const keyOf = (question: Question): string => ("id" in question ? question.id : question.field);
export const isDecided = (question: Question, choices: Choices): boolean =>
  "id" in question ? choiceOf(choices, question.id) !== undefined : choices[question.field] !== undefined;

const names: Record<WholeField, string> = { title: "Title", summary: "Summary", cover_image: "Cover", details: "Details" };
export const nameOf = (question: Question): string => ("id" in question ? blockTypes[question.block].name : names[question.field]);

export const everywhere = (questions: readonly Question[], choice: "mine" | "theirs"): Choices => ({
  ...Object.fromEntries(questions.flatMap((question) => ("field" in question ? [[question.field, choice]] : []))),
  blocks: Object.fromEntries(questions.flatMap((question) => ("id" in question ? [[question.id, choice]] : []))),
});

export const ownersOf = (name: string): string => `${name}’s`;

/** Such as "7 blocks from you, 3 from Ana, 1 conflict"; "changes" if fields other than blocks changed. */
export function countWords(merge: Merge, questions: readonly Question[], choices: Choices, name: string): string {
  const { mine, theirs, both } = merge.counts;
  const rest = [...wholeFields.map((name) => merge[name]), merge.tags];
  const thing = rest.some((field) => "origin" in field && field.origin !== "same") ? "change" : "block";
  const from = [
    { count: mine, whom: "you" },
    { count: theirs, whom: name },
    { count: both, whom: "both" },
  ].filter(({ count }) => count > 0);
  const parts = from.map(({ count, whom }, index) => `${count}${index > 0 ? "" : ` ${thing}${count === 1 ? "" : "s"}`} from ${whom}`);
  const left = questions.filter((question) => !isDecided(question, choices)).length;
  const decided = questions.length === 0 ? "no conflicts" : "all conflicts resolved";
  return [...parts, left > 0 ? `${left} ${left === 1 ? "conflict" : "conflicts"}` : decided].join(", ");
}

export function mergedButton({ kind }: Intent): string {
  if (kind === "publish") return "Publish merged";
  return kind === "schedule" ? "Schedule merged" : "Save merged";
}
