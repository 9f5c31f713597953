import NumberFlow from "@number-flow/react";
import { useEffect, useState } from "react";

const timing = { duration: 2_000, easing: "cubic-bezier(0.2, 0, 0, 1)" }; // specification, section 9 ("Number ticker")

/** Rolls from 0, then from value to value. Lazy chunk. */
export default function RollingNumber({ value }: { value: number }) {
  const [shown, setShown] = useState(0);
  useEffect(() => setShown(value), [value]);
  return <NumberFlow value={shown} transformTiming={timing} spinTiming={timing} opacityTiming={timing} />;
}
