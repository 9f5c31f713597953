import { writeFileSync } from "node:fs";

export interface Figure {
  figure: string;
  measured: number;
  unit: string;
  limit: { kind: Kind; value: number } | null;
  ratio: number;
  verdict: "ok" | "MISSED" | "";
  absolute: string;
}

export type Kind = "at most" | "at least";

export interface Pair {
  measured: number;
  reference: number;
  unit: string;
  against: string;
  ratio?: number;
}

export class Report {
  readonly figures: Figure[] = [];

  judge(figure: string, measured: number, kind: Kind, limit: number, unit: string, absolute = ""): void {
    const ratio = measured === limit ? 1 : kind === "at most" ? measured / limit : limit / measured;
    this.figures.push({ figure, measured, unit, limit: { kind, value: limit }, ratio, verdict: ratio <= 1 ? "ok" : "MISSED", absolute });
  }

  compare(figure: string, pair: Pair, kind: Kind, limit: number, more = ""): void {
    this.judge(figure, pair.ratio ?? pair.measured / pair.reference, kind, limit, "×", [besides(pair), more].filter(Boolean).join("; "));
  }

  tell(figure: string, measured: number, unit: string, absolute = ""): void {
    this.figures.push({ figure, measured, unit, limit: null, ratio: Number.NaN, verdict: "", absolute });
  }

  tellRatio(figure: string, pair: Pair): void {
    this.tell(figure, pair.ratio ?? pair.measured / pair.reference, "×", besides(pair));
  }

  end(): void {
    console.table(this.figures.map(rowOf));
    if (this.figures.length === 0 || this.figures.some(({ verdict }) => verdict === "MISSED")) process.exitCode = 1;
    if (process.env.BENCH_REPORT) writeFileSync(process.env.BENCH_REPORT, JSON.stringify(this.figures));
  }
}

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

const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());

export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

export const median = (values: number[]): number => quantile(values, 0.5);

/** Interleaved values, paired by round. The ratio is the median of the rounds' ratios, since load affects both values of a round alike. */
export const inPairs = (measured: number[], reference: number[], unit: string, against: string): Pair => ({
  measured: median(measured),
  reference: median(reference),
  unit,
  against,
  ratio: median(measured.map((value, turn) => value / reference[turn]!)),
});
