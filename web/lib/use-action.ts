import { useState } from "react";
import { toasts } from "./toasts.ts";

/** Runs actions. `running` names the one under way; a failure shows as an error toast. */
export function useAction() {
  const [running, setRunning] = useState<string>();

  async function run(name: string, failure: string, act: () => Promise<unknown>): Promise<void> {
    setRunning(name);
    try {
      await act();
    } catch (error) {
      toasts.failure(failure, error);
    } finally {
      setRunning(undefined);
    }
  }
  return { running, run };
}
