import { useEffect, useId, useState } from "react";
import { excerpt as excerptOf } from "#contract/blocks/excerpt.ts";
import { altText } from "#contract/blocks/types/image.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { summaryMaxLength } from "#contract/limits.ts";
import type { ChosenCover, CoverImage } from "#contract/rules/cover.ts";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import type { Writing } from "../../session/write.ts";
import { CoverPicker } from "./cover-picker.tsx";
import { FoldedBar } from "./folded-bar.tsx";

interface DetailsBarProps {
  workspaceId: string;
  summary: string;
  cover: CoverImage;
  canWrite: boolean;
  read(): Promise<Writing>;
  onSummary(summary: string): void;
  onCover(cover: CoverImage): void;
  onUpload(work: Promise<void>): Promise<void>;
}

interface Defaults {
  excerpt: string;
  images: ChosenCover[];
}

const noDefaults: Defaults = { excerpt: "", images: [] };

export function DetailsBar({ workspaceId, summary, cover, canWrite, read, onSummary, onCover, onUpload }: DetailsBarProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [defaults, setDefaults] = useState(noDefaults);
  useEffect(() => {
    if (!open) return;
    let isMounted = true;
    read().then(
      ({ content }) => isMounted && setDefaults(defaultsOf(content)),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [open, read]);
  if (!canWrite && summary === "" && cover === null) return null;

  const left = summaryMaxLength - summary.length;
  return (
    <FoldedBar label="Summary and cover" values={chosenWords(summary, cover)} open={open} onToggle={() => setOpen(!open)}>
      <FieldFrame
        id={`${id}-summary`}
        label="Summary"
        optional
        status={left <= 40 ? `${left} ${left === 1 ? "character" : "characters"} left` : undefined}
        hint="Shown in lists, feeds and the widget instead of the opening lines."
      >
        <textarea
          id={`${id}-summary`}
          className="p-inputtext p-component"
          rows={3}
          maxLength={summaryMaxLength}
          readOnly={!canWrite}
          placeholder={defaults.excerpt}
          aria-describedby={`${id}-summary-hint`}
          value={summary}
          onChange={(event) => onSummary(event.target.value)}
        />
      </FieldFrame>
      <CoverPicker
        workspaceId={workspaceId}
        cover={cover}
        images={defaults.images}
        canWrite={canWrite}
        onChange={onCover}
        onUpload={onUpload}
      />
    </FoldedBar>
  );
}

function chosenWords(summary: string, cover: CoverImage): string {
  const image = cover === null ? [] : [cover === "none" ? "no cover" : "custom cover"];
  return [...(summary === "" ? [] : [summary]), ...image].join(" · ");
}

function defaultsOf(content: EditorOutput): Defaults {
  const images = content.blocks.flatMap((block) => (block.type === "image" ? [{ ...block.data.file, alt: altText(block.data) }] : []));
  return { excerpt: excerptOf(content), images: images.filter(({ url }, index) => images.findIndex((one) => one.url === url) === index) };
}
