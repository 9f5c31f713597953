import type { ReactNode } from "react";
import { type Block, typeOf } from "#contract/blocks/block-types.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import { BlockView } from "../history/block-view.tsx";
import css from "./merge-choices.module.css";

/** One side's version of something to decide: its words, and its picture. */
export function OneSide({ label, chosen, children }: { label: string; chosen: boolean; children: ReactNode }) {
  return (
    <div className={chosen ? css.chosen : css.side}>
      <span className={css.whose}>{label}</span>
      {children}
    </div>
  );
}

export function SideOfBlock({ block }: { block: Block | null }) {
  if (!block) return <p className={css.none}>Deleted</p>;
  const { visible, wordless } = typeOf(block);
  if (!visible && blockText(block).join("").trim() === "") return <p className={css.none}>{wordless}</p>;
  return <BlockView block={block} />;
}

export function SideOfText({ text, none }: { text: string; none: string }) {
  return text.trim() === "" ? <p className={css.none}>{none}</p> : <p className={css.words}>{text}</p>;
}

export function SideOfCover({ cover }: { cover: CoverImage }) {
  if (cover === null) return <p className={css.none}>The first image</p>;
  if (cover === "none") return <p className={css.none}>No cover</p>;
  return (
    <>
      <img className={css.picture} src={cover.url} alt="" />
      {cover.alt && <p className={css.words}>{cover.alt}</p>}
    </>
  );
}
