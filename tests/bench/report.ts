import { writeFileSync } from "node:fs";

/** One figure of a bench, held against its limit. Up to 1 the ratio says that the limit is kept, whichever way it counts. */
export interface Figure {
  figure: string;
  measured: number;
  unit: string;
  kind: "at most" | "at least";
  limit: number;
  ratio: number;
  verdict: "ok" | "MISSED";
}

/** What every bench ends with: a table on the screen, exit code 1 for a miss, and its figures in the file BENCH_REPORT names (tests/bench/all.ts). */
export class Report {
  readonly figures: Figure[] = [];

  /** Holds one measured value against its limit. */
  judge(figure: string, measured: number, kind: Figure["kind"], limit: number, unit: string): void {
    const ratio = measured === limit ? 1 : kind === "at most" ? measured / limit : limit / measured;
    this.figures.push({ figure, measured, unit, kind, limit, ratio, verdict: ratio <= 1 ? "ok" : "MISSED" });
  }

  end(): void {
    console.table(this.figures.map(rowOf));
    if (this.figures.length === 0 || this.figures.some(({ verdict }) => verdict === "MISSED")) process.exitCode = 1;
    if (process.env.BENCH_REPORT) writeFileSync(process.env.BENCH_REPORT, JSON.stringify(this.figures));
  }
}

/** A figure as people read it. */
export const rowOf = ({ figure, measured, unit, kind, limit, ratio, verdict }: Figure) => ({
  figure,
  measured: `${rounded(measured)} ${unit}`.trim(),
  limit: `${kind} ${limit} ${unit}`.trim(),
  ratio: Number.isFinite(ratio) ? ratio.toFixed(2) : "–",
  verdict,
});

/** Three figures that count. */
const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());

/** The middle one of some runs. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
