import { useId } from "react";
import type { AnalyticsTotals } from "#contract/analytics.ts";
import { classNames } from "../../lib/class-names.ts";
import { changeOf } from "./change.ts";
import { type ChartedFigure, chartedFigures, figureLabels, formatNumber } from "./metric-labels.ts";
import css from "./figures.module.css";

interface FiguresProps {
  totals: AnalyticsTotals;
  previous: AnalyticsTotals;
  /** Days in each period. */
  days: number;
  show: ChartedFigure;
  onShow: (name: ChartedFigure) => void;
}

/** Four totals with their change; the selected one is charted. */
export function Figures({ totals, previous, days, show, onShow }: FiguresProps) {
  const group = useId();
  return (
    <fieldset className={css.figures}>
      <legend className="visually-hidden">Charted figure</legend>
      {chartedFigures.map((name) => (
        <label key={name} className={css.figure}>
          <input type="radio" name={group} checked={name === show} onChange={() => onShow(name)} />
          <span className={css.name}>{figureLabels[name].name}</span> <strong>{formatNumber(totals[name])}</strong>{" "}
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
  /** Neutral: more is neither good nor bad. */
  plain?: boolean;
}

/** Text first: colour and arrow only repeat it. */
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
          <span title={days === 1 ? "Previous day" : `Previous ${formatNumber(days)} days`}>
            <span className="visually-hidden">{change.direction === "same" ? "from" : "than"} </span>
            {formatNumber(before)} before
          </span>
        </>
      )}
    </span>
  );
}
