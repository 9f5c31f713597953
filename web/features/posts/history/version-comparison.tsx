import { useEffect, useState } from "react";
import { blockTypes } from "#contract/blocks/block-types.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import { isSameCover } from "../session/write.ts";
import { Loading, Skeleton } from "../../../components/skeleton.tsx";
import { compareBlocks, type ComparedBlock } from "./compare-blocks.ts";
import css from "./version-comparison.module.css";

export interface ComparedVersion {
  title: string;
  /** By their names. */
  tags: readonly string[];
  summary: string | null;
  cover: CoverImage;
  content: EditorOutput;
}

interface VersionComparisonProps {
  /** Brings both versions; called again when it changes. */
  load(): Promise<{ mine: ComparedVersion; theirs: ComparedVersion }>;
  /** What the two are called. */
  labels: { mine: string; theirs: string };
}

interface Compared {
  /** What differs besides the blocks. */
  heads: { mine: string; theirs: string }[];
  lines: ComparedBlock[];
}
type Comparison = Compared | "loading" | "failed";

const summaryWords = ({ summary }: ComparedVersion): string => (summary ? `Summary: ${summary}` : "No summary");
const coverWords = ({ cover }: ComparedVersion): string => {
  if (cover === null) return "Cover: the first image";
  return cover === "none" ? "Cover: none" : `Cover: ${cover.alt || "a chosen image"}`;
};
const tagWords = ({ tags }: ComparedVersion): string => (tags.length === 0 ? "No tags" : `Tags: ${tags.join(", ")}`);

/** Two versions of a post: title, tags, and block by block as plain text; what both have is only counted. */
export function VersionComparison({ load, labels }: VersionComparisonProps) {
  const comparison = useComparison(load);
  if (comparison === "failed") return <p className={css.state}>The other version could not be read. Your text is safe.</p>;
  if (comparison === "loading") {
    return (
      <Loading label="Comparing the two versions">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  const { heads, lines } = comparison;
  const differing = lines.filter((line) => line.where !== "both");
  const same = lines.length - differing.length;
  const line = (key: string | number, where: "mine" | "theirs", text: string) => (
    <li key={key} className={`${css.line} ${css[where]}`}>
      <span className={css.where}>{labels[where]}</span>
      <span className={css.text}>{text}</span>
    </li>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
    <ul className={css.lines} tabIndex={0} aria-label="What differs">
      {heads.map(({ mine, theirs }, index) => [line(`theirs ${index}`, "theirs", theirs), line(`mine ${index}`, "mine", mine)])}
      {differing.map(({ where, text, type }, index) => where !== "both" && line(index, where, text || blockTypes[type].wordless))}
      {same > 0 && (
        <li className={css.same}>
          {same} {same === 1 ? "block is" : "blocks are"} the same in both
        </li>
      )}
    </ul>
  );
}

function useComparison(load: VersionComparisonProps["load"]): Comparison {
  const [comparison, setComparison] = useState<Comparison>("loading");
  useEffect(() => {
    let wanted = true;
    setComparison("loading");
    load().then(
      ({ mine, theirs }) => {
        const heads = [
          { mine: mine.title, theirs: theirs.title },
          { mine: tagWords(mine), theirs: tagWords(theirs) },
          { mine: summaryWords(mine), theirs: summaryWords(theirs) },
          ...(isSameCover(mine.cover, theirs.cover)
            ? []
            : [{ mine: coverWords(mine), theirs: coverWords(theirs) === coverWords(mine) ? "Cover: another image" : coverWords(theirs) }]),
        ].filter((head) => head.mine !== head.theirs);
        if (wanted) setComparison({ heads, lines: compareBlocks(mine.content, theirs.content) });
      },
      () => wanted && setComparison("failed"),
    );
    return () => {
      wanted = false;
    };
  }, [load]);
  return comparison;
}
