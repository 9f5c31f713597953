import { useId } from "react";
import type { AnalyticsTotals } from "#contract/analytics.ts";
import { classNames } from "../../lib/class-names.ts";
import { changeOf } from "./change.ts";
import { type Drawn, drawn, drawnWords, number } from "./metric-labels.ts";
import css from "./figures.module.css";

interface FiguresProps {
  totals: AnalyticsTotals;
  previous: AnalyticsTotals;
  /** How many days each of them counts. */
  days: number;
  show: Drawn;
  onShow: (name: Drawn) => void;
}

/** The four numbers, each with what it was before; the one that is chosen is drawn. */
export function Figures({ totals, previous, days, show, onShow }: FiguresProps) {
  const group = useId();
  return (
    <fieldset className={css.figures}>
      <legend className="visually-hidden">What the line shows</legend>
      {drawn.map((name) => (
        <label key={name} className={css.figure}>
          <input type="radio" name={group} checked={name === show} onChange={() => onShow(name)} />
          <span className={css.name}>{drawnWords[name].name}</span> <strong>{number(totals[name])}</strong>{" "}
          <ChangeLine now={totals[name]} before={previous[name]} days={days} />
        </label>
      ))}
    </fieldset>
  );
}

const arrows = { more: "↑", fewer: "↓", same: "=", new: "" } as const;

interface ChangeLineProps {
  now: number;
  before: number;
  days: number;
  /** More of it is neither good nor bad. */
  plain?: boolean;
}

/** In words first; the colour and the arrow only say it again. */
export function ChangeLine({ now, before, days, plain = false }: ChangeLineProps) {
  const change = changeOf(now, before);
  if (!change) return null;
  return (
    <span className={css.change}>
      <span className={classNames(css.words, !plain && css[change.direction])}>
        {arrows[change.direction] && <span aria-hidden="true">{arrows[change.direction]} </span>}
        {change.words}
      </span>
      {change.direction !== "new" && (
        <>
          {" "}
          <span title={days === 1 ? "The day before" : `The ${number(days)} days before`}>
            <span className="visually-hidden">{change.direction === "same" ? "as" : "than"} the </span>
            {number(before)} before
          </span>
        </>
      )}
    </span>
  );
}
