import { useLayoutEffect, useRef, type RefObject } from "react";

/** What the latest render was given, for callbacks that must not change whenever it does. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
