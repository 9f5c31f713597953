import { writeFileSync } from "node:fs";

/** One figure of a bench, held against its limit. Up to 1 the ratio says that the limit is kept, whichever way it counts. */
export interface Figure {
  figure: string;
  measured: number;
  unit: string;
  /** Null: told and not judged. */
  limit: { kind: Kind; value: number } | null;
  ratio: number;
  verdict: "ok" | "MISSED" | "";
  /** The absolute values that a ratio was made of, and whatever else explains the figure. */
  absolute: string;
}

export type Kind = "at most" | "at least";

/** What was measured and, in the same run and in turns with it, what it is held against. */
export interface Pair {
  measured: number;
  reference: number;
  unit: string;
  /** What the reference is, e.g. "a plain query". */
  against: string;
  /** How often the one is in the other, where that is not the one by the other. */
  ratio?: number;
}

/** What every bench ends with: a table on the screen, exit code 1 for a miss, and its figures in the file BENCH_REPORT names (tests/bench/all.ts). */
export class Report {
  readonly figures: Figure[] = [];

  /** Holds one measured value against its limit: counts, bytes and ratios, which are the same on every machine. */
  judge(figure: string, measured: number, kind: Kind, limit: number, unit: string, absolute = ""): void {
    const ratio = measured === limit ? 1 : kind === "at most" ? measured / limit : limit / measured;
    this.figures.push({ figure, measured, unit, limit: { kind, value: limit }, ratio, verdict: ratio <= 1 ? "ok" : "MISSED", absolute });
  }

  /** Holds a time or a rate against its reference, so that a machine's slow hour judges nothing. */
  compare(figure: string, pair: Pair, kind: Kind, limit: number, more = ""): void {
    this.judge(figure, pair.ratio ?? pair.measured / pair.reference, kind, limit, "×", [besides(pair), more].filter(Boolean).join("; "));
  }

  /** Tells a value without judging it. */
  tell(figure: string, measured: number, unit: string, absolute = ""): void {
    this.figures.push({ figure, measured, unit, limit: null, ratio: Number.NaN, verdict: "", absolute });
  }

  /** Tells how often a reference is in what was measured, without judging it: a figure whose limit is still to be found by several runs. */
  tellRatio(figure: string, pair: Pair): void {
    this.tell(figure, pair.ratio ?? pair.measured / pair.reference, "×", besides(pair));
  }

  end(): void {
    console.table(this.figures.map(rowOf));
    if (this.figures.length === 0 || this.figures.some(({ verdict }) => verdict === "MISSED")) process.exitCode = 1;
    if (process.env.BENCH_REPORT) writeFileSync(process.env.BENCH_REPORT, JSON.stringify(this.figures));
  }
}

/** A figure as people read it. */
export const rowOf = ({ figure, measured, unit, limit, ratio, verdict, absolute }: Figure) => ({
  figure,
  measured: withUnit(measured, unit),
  limit: limit === null ? "" : `${limit.kind} ${limit.value} ${unit}`.trim(),
  ratio: Number.isFinite(ratio) ? ratio.toFixed(2) : "",
  verdict,
  absolute,
});

const besides = ({ measured, reference, unit, against }: Pair): string =>
  `${withUnit(measured, unit)}, ${against} ${withUnit(reference, unit)}`;

const withUnit = (value: number, unit: string): string => `${rounded(value)} ${unit}`.trim();

/** Three figures that count. */
const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());

/** The value that this share of some runs does not exceed, e.g. 0.95: the nearest rank. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

/** The middle one of some runs. */
export const median = (values: number[]): number => quantile(values, 0.5);

/**
 * Values that were taken in turns, the nth of the one beside the nth of the other. The ratio is the middle of all turns': a machine that is half as
 * fast for some of them is so for both, while the middle of all the one's may come from a fast moment and that of the other's from a slow one.
 */
export const inPairs = (measured: number[], reference: number[], unit: string, against: string): Pair => ({
  measured: median(measured),
  reference: median(reference),
  unit,
  against,
  ratio: median(measured.map((value, turn) => value / reference[turn]!)),
});
