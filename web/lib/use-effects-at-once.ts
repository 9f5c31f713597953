import { useLayoutEffect, useState } from "react";

/**
 * Runs the effects of what has just appeared before it is painted, where React would leave them for a quieter moment. For fields: react-final-form
 * registers one in an effect, and what is typed before that is taken away again.
 */
export function useEffectsAtOnce(): void {
  const [, setThere] = useState(false);
  useLayoutEffect(() => setThere(true), []); // a change of state at this point: React ends the commit with all of its effects
}
