import { Suspense, useEffect, useRef, useState, type RefObject } from "react";
import { lazyPart } from "../../../components/lazy-part.tsx";
import type { Doing } from "../../presence/use-presence.ts";
import { followCaret } from "./follow-caret.ts";
import type { PeopleInBlocksProps } from "./people-in-blocks.tsx";

const PeopleInBlocks = lazyPart(
  () => import("./people-in-blocks.tsx"),
  (part) => part.PeopleInBlocks,
  { inPlace: true, instead: () => null }, // who is where is no reason to interrupt anybody
);

/** Comes with the first other person: whoever writes alone loads nothing of it. */
export function OthersInBlocks(props: PeopleInBlocksProps) {
  const [met, setMet] = useState(false);
  if (props.participants.length > 0 && !met) setMet(true);
  return <Suspense>{met && <PeopleInBlocks {...props} />}</Suspense>;
}

/** Tells where the person is in what the answered element holds, while they may write. */
export function useFollowCaret(editable: boolean, tell: (doing: Doing) => void): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => (editable && area.current ? followCaret(area.current, tell) : undefined), [editable, tell]);
  return area;
}
