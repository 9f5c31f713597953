import { classNames } from "../../lib/class-names.ts";
import css from "./progress-bar.module.css";

/** `percent` of the required fields that are valid; null while the workspace is being made. */
export function ProgressBar({ percent }: { percent: number | null }) {
  return (
    <div
      className={css.track}
      role="progressbar"
      aria-label="Onboarding progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      <div
        className={classNames(css.bar, percent === null && css.indeterminate)}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
