import { useEffect, useRef, useState } from "react";
import { onboardingStepMs } from "../../lib/timings.ts";
import { useReducedMotion } from "../../lib/use-media-query.ts";

export type Step = 1 | 2 | 3;

/** Animates 500 ms out and 500 ms in, blocking other changes. Source: specification, section 2. */
export function useSteps(initial: Step) {
  const instant = useReducedMotion();
  const [step, setStep] = useState<Step>(initial);
  const [moving, setMoving] = useState<"out" | "in">();
  const shown = useRef(initial);
  const busy = useRef(false);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => void (mounted.current = false);
  }, []);

  /** Resolves after the animation; ignored while one runs. */
  async function go(next: Step): Promise<void> {
    if (busy.current || next === shown.current) return;
    shown.current = next;
    if (instant) return setStep(next);
    busy.current = true;
    setMoving("out");
    await wait();
    if (!mounted.current) return;
    setStep(next);
    setMoving("in");
    await wait();
    busy.current = false;
    if (mounted.current) setMoving(undefined);
  }
  return { step, moving, go };
}

const wait = () => new Promise((resolve) => setTimeout(resolve, onboardingStepMs));
