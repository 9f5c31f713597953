import { Suspense, useEffect, useRef, useState, type RefObject } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { Doing } from "./use-presence.ts";
import { followCaret } from "./follow-caret.ts";
import type { PeopleInBlocksProps } from "./people-in-blocks.tsx";

const PeopleInBlocks = lazyPart(
  () => import("./people-in-blocks.tsx"),
  "PeopleInBlocks",
  { inPlace: true, fallback: () => null }, // optional: show no error
);

export function OthersInBlocks(props: PeopleInBlocksProps) {
  const [hasOthers, setHasOthers] = useState(false);
  if (props.participants.length > 0 && !hasOthers) setHasOthers(true);
  return <Suspense>{hasOthers && <PeopleInBlocks {...props} />}</Suspense>;
}

export function useFollowCaret(editable: boolean, report: (doing: Doing) => void): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => (editable && area.current ? followCaret(area.current, report) : undefined), [editable, report]);
  return area;
}
