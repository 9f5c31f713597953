import { lazy, Suspense } from "react";
import { useReducedMotion } from "../../lib/use-media-query.ts";

const RollingNumber = lazy(() => import("./rolling-number.tsx"));
const canRoll = "animate" in Element.prototype;

/** A number that rolls up to its value; it stands at once with reduced motion and until the animation's code is there. */
export function Ticker({ value }: { value: number }) {
  const still = useReducedMotion() || !canRoll;
  const plain = value.toLocaleString();
  if (still) return plain;
  return (
    <Suspense fallback={plain}>
      <RollingNumber value={value} />
    </Suspense>
  );
}
