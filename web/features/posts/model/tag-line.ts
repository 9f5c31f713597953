import { tagSummary } from "#contract/rules/tag-summary.ts";
import { tagLabel } from "./tags.ts";

/** A post's tags in one line, by their names: "Feature / Fix +3 more"; "" without tags. */
export const tagLine = (tags: readonly string[]): string => tagSummary(tags.map(tagLabel));
