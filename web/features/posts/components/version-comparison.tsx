import { useEffect, useState } from "react";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { Loading, Skeleton } from "../../../components/skeleton.tsx";
import { readPost } from "../api/post-calls.ts";
import { compareBlocks, type ComparedBlock } from "../model/compare-blocks.ts";
import type { Writing } from "../model/write.ts";
import css from "./conflict-dialog.module.css";

const labels = { mine: "Yours", theirs: "Theirs", both: "" } as const;
const kinds: Partial<Record<ComparedBlock["type"], string>> = { image: "Image", delimiter: "Divider" };

type Comparison = { title: { mine: string; theirs: string }; lines: ComparedBlock[] } | "loading" | "failed";

/** The person's version beside the one on the server, by block; what both have is folded. */
export function VersionComparison({ post, read }: { post: Post; read: () => Promise<Writing> }) {
  const [comparison, setComparison] = useState<Comparison>("loading");
  useEffect(() => {
    let wanted = true;
    Promise.all([readPost(post.id), read()]).then(
      ([theirs, mine]) => {
        const lines = compareBlocks(mine.content, parseBlocks(theirs.content_raw) ?? { ...mine.content, blocks: [] });
        if (wanted) setComparison({ title: { mine: mine.title, theirs: theirs.title }, lines });
      },
      () => wanted && setComparison("failed"),
    );
    return () => {
      wanted = false;
    };
  }, [post.id, read]);

  if (comparison === "failed") return <p className={css.state}>The other version could not be read. Your text is safe.</p>;
  if (comparison === "loading") {
    return (
      <Loading label="Comparing the two versions">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  const { title } = comparison;
  const lines = comparison.lines.filter((line) => line.where !== "both");
  const same = comparison.lines.length - lines.length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
    <ul className={css.lines} tabIndex={0} aria-label="What differs">
      {title.mine !== title.theirs && (
        <>
          <Line where="theirs" text={title.theirs} />
          <Line where="mine" text={title.mine} />
        </>
      )}
      {lines.map((line, index) => (
        <Line key={index} where={line.where} text={line.text || (kinds[line.type] ?? "Empty")} />
      ))}
      {same > 0 && (
        <li className={css.skipped}>
          {same} {same === 1 ? "block is" : "blocks are"} the same in both
        </li>
      )}
    </ul>
  );
}

function Line({ where, text }: { where: ComparedBlock["where"]; text: string }) {
  return (
    <li className={`${css.line} ${css[where] ?? ""}`}>
      <span className={css.where}>{labels[where]}</span>
      <span className={css.text}>{text}</span>
    </li>
  );
}
