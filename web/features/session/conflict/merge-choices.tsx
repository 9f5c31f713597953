import { type ReactNode, useId } from "react";
import { type Block, typeOf } from "#contract/blocks/block-types.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { choiceOf } from "#contract/merge/merge-versions.ts";
import type { Choice, Choices, Merge } from "#contract/merge/types.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { BlockView } from "../../history/block-view.tsx";
import { isDecided, keyOf, nameOf, ownersOf, type Question } from "./merge-questions.ts";
import css from "./merge-choices.module.css";

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
    <ol role="list" className={css.questions} aria-label="Conflicts">
      {questions.map((question, index) => (
        <li key={keyOf(question)} className={css.question} data-decided={isDecided(question, choices)}>
          <Decision
            title={`${nameOf(question)} (${index + 1} of ${questions.length})`}
            {...{ merge, question, choices, name, disabled, onChoose }}
          />
        </li>
      ))}
    </ol>
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
    <section aria-labelledby={heading}>
      <p id={heading} className={css.name}>
        {title}
      </p>
      <div className={css.sides}>
        <OneSide label="Yours" chosen={chosen === "mine" || chosen === "both"}>
          {mine}
        </OneSide>
        <OneSide label={ownersOf(name)} chosen={chosen === "theirs" || chosen === "both"}>
          {theirs}
        </OneSide>
      </div>
      <ChoiceGroup
        legend={`Version to keep: ${title}`}
        hideLegend
        value={chosen ?? ("none" as Choice)}
        choices={offered}
        disabled={disabled}
        onChange={choose}
      />
    </section>
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
      question.field === "cover" ? (
        <SideOfCover cover={value as Extract<Merge["cover"], { collision: unknown }>["collision"]["mine"]} />
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
    <div className={chosen ? css.chosen : css.side}>
      <span className={css.whose}>{label}</span>
      {children}
    </div>
  );
}

function SideOfBlock({ block }: { block: Block | null }) {
  if (!block) return <p className={css.none}>Deleted</p>;
  const { shows, wordless } = typeOf(block);
  if (shows === null && blockText(block).join("").trim() === "") return <p className={css.none}>{wordless}</p>;
  return <BlockView block={block} />;
}

function SideOfText({ text, none }: { text: string; none: string }) {
  return text.trim() === "" ? <p className={css.none}>{none}</p> : <p className={css.words}>{text}</p>;
}

function SideOfCover({ cover }: { cover: CoverImage }) {
  if (cover === null) return <p className={css.none}>The first image</p>;
  if (cover === "none") return <p className={css.none}>No cover</p>;
  return (
    <>
      <img className={css.picture} src={cover.url} alt="" />
      {cover.alt && <p className={css.words}>{cover.alt}</p>}
    </>
  );
}
