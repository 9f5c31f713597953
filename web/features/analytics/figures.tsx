import { useId } from "react";
import type { AnalyticsTotals } from "#contract/analytics.ts";
import { Grid, Note, Stack, Text } from "../../ui/layout.tsx";
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
    <Grid as="fieldset" min="9.5rem" fit gap={6} className={css.figures}>
      <legend className="visually-hidden">Charted figure</legend>
      {chartedFigures.map((name) => (
        <Stack as="label" key={name} gap={0} className={css.figure}>
          <input type="radio" name={group} checked={name === show} onChange={() => onShow(name)} />
          <Text as="span" tone="muted">
            {figureLabels[name].name}
          </Text>{" "}
          <Text as="strong" size="figure">
            {formatNumber(totals[name])}
          </Text>{" "}
          <ChangeLine now={totals[name]} before={previous[name]} days={days} />
        </Stack>
      ))}
    </Grid>
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

const tones = { more: "ok", fewer: "danger", same: undefined, new: "ok" } as const;

/** Text first: colour and arrow only repeat it. */
export function ChangeLine({ now, before, days, plain = false }: ChangeLineProps) {
  const change = changeOf(now, before);
  if (!change) return null;
  return (
    <Note as="span" style={{ fontVariantNumeric: "tabular-nums" }}>
      <Text as="span" strong tone={plain ? undefined : tones[change.direction]}>
        {arrows[change.direction] && <span aria-hidden="true">{arrows[change.direction]} </span>}
        {change.words}
      </Text>
      {change.direction !== "new" && (
        <>
          {" "}
          <span title={days === 1 ? "Previous day" : `Previous ${formatNumber(days)} days`}>
            {change.direction === "same" ? "from" : "than"} {formatNumber(before)} before
          </span>
        </>
      )}
    </Note>
  );
}
