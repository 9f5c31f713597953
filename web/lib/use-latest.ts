import { useLayoutEffect, useRef, type RefObject } from "react";

/** Ref to the latest render's value, for stable callbacks. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
