import { type ReactNode, useId } from "react";
import { type Block, typeOf } from "#contract/blocks/block-types.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { choiceOf } from "#contract/merge/merge-versions.ts";
import type { Choice, Choices, Merge } from "#contract/merge/types.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import type { PostDetails } from "#contract/rules/post-details.ts";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { detailWords } from "../../posts/details/detail-words.ts";
import { BlockView } from "../../history/block-view.tsx";
import { isDecided, keyOf, nameOf, ownersOf, type Question } from "./merge-questions.ts";
import { classNames } from "../../../lib/class-names.ts";
import { Grid, Panel, Stack, Text } from "../../../ui/layout.tsx";
import css from "./conflict.module.css";

interface MergeChoicesProps {
  merge: Merge;
  questions: readonly Question[];
  choices: Choices;
  name: string;
  disabled: boolean;
  onChoose(choices: Choices): void;
}

export function MergeChoices({ merge, questions, choices, name, disabled, onChoose }: MergeChoicesProps) {
  return (
    <Stack as="ol" gap={6} role="list" aria-label="Conflicts">
      {questions.map((question, index) => (
        <li key={keyOf(question)} data-decided={isDecided(question, choices)}>
          <Decision
            title={`${nameOf(question)} (${index + 1} of ${questions.length})`}
            {...{ merge, question, choices, name, disabled, onChoose }}
          />
        </li>
      ))}
    </Stack>
  );
}

type DecisionProps = Omit<MergeChoicesProps, "questions"> & { title: string; question: Question };

function Decision({ title, merge, question, choices, name, disabled, onChoose }: DecisionProps) {
  const heading = useId();
  const { mine, theirs, chosen, offered } = sidesOf(merge, question, choices, name);
  const choose = (value: Choice) => {
    if ("id" in question) onChoose({ ...choices, blocks: { ...choices.blocks, [question.id]: value } });
    else if (value !== "both") onChoose({ ...choices, [question.field]: value });
  };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <Text strong size="small" id={heading}>
        {title}
      </Text>
      <Grid gap={3} min="15rem">
        <OneSide label="Yours" chosen={chosen === "mine" || chosen === "both"}>
          {mine}
        </OneSide>
        <OneSide label={ownersOf(name)} chosen={chosen === "theirs" || chosen === "both"}>
          {theirs}
        </OneSide>
      </Grid>
      <ChoiceGroup
        legend={`Version to keep: ${title}`}
        hideLegend
        value={chosen ?? ("none" as Choice)}
        choices={offered}
        disabled={disabled}
        onChange={choose}
      />
    </Stack>
  );
}

function sidesOf(merge: Merge, question: Question, choices: Choices, name: string) {
  const own = { value: "mine" as Choice, label: "Yours" };
  const other = { value: "theirs" as Choice, label: ownersOf(name) };
  if ("field" in question) {
    const chosen: Choice | undefined = choices[question.field];
    const place = merge[question.field];
    if (!("collision" in place)) return { mine: null, theirs: null, chosen, offered: [own, other] };
    const { mine, theirs } = place.collision;
    const side = (value: typeof mine) =>
      question.field === "cover_image" ? (
        <SideOfCover cover={value as CoverImage} />
      ) : question.field === "details" ? (
        <SideOfText text={detailWords(value as PostDetails).join("\n")} none="No details" />
      ) : (
        <SideOfText text={value as string} none={question.field === "title" ? "No title" : "No summary"} />
      );
    return { mine: side(mine), theirs: side(theirs), chosen, offered: [own, other] };
  }
  const chosen = choiceOf(choices, question.id);
  const conflict = merge.blocks.find((place) => "collision" in place && place.collision.id === question.id);
  const { mine, theirs } = conflict && "collision" in conflict ? conflict.collision : { mine: null, theirs: null };
  const both = { value: "both" as Choice, label: "Both" };
  return {
    mine: <SideOfBlock block={mine} />,
    theirs: <SideOfBlock block={theirs} />,
    chosen,
    offered: [
      mine ? own : { ...own, label: "Leave deleted" },
      theirs ? other : { ...other, label: "Leave deleted" },
      ...(mine && theirs ? [both] : []),
    ],
  };
}

function OneSide({ label, chosen, children }: { label: string; chosen: boolean; children: ReactNode }) {
  return (
    <Panel sunk padding={3} gap={1} className={classNames(css.side, chosen && css.chosen)}>
      <Text as="span" size="small" tone="muted">
        {label}
      </Text>
      {children}
    </Panel>
  );
}

function SideOfBlock({ block }: { block: Block | null }) {
  if (!block)
    return (
      <Text as="em" tone="muted">
        Deleted
      </Text>
    );
  const { shows, wordless } = typeOf(block);
  if (shows === null && blockText(block).join("").trim() === "")
    return (
      <Text as="em" tone="muted">
        {wordless}
      </Text>
    );
  return <BlockView block={block} />;
}

function SideOfText({ text, none }: { text: string; none: string }) {
  return text.trim() === "" ? (
    <Text as="em" tone="muted">
      {none}
    </Text>
  ) : (
    <Text className={css.text}>{text}</Text>
  );
}

function SideOfCover({ cover }: { cover: CoverImage }) {
  if (cover === null)
    return (
      <Text as="em" tone="muted">
        The first image
      </Text>
    );
  if (cover === "none")
    return (
      <Text as="em" tone="muted">
        No cover
      </Text>
    );
  return (
    <>
      <img className={css.picture} src={cover.url} alt="" />
      {cover.alt && <Text className={css.text}>{cover.alt}</Text>}
    </>
  );
}
