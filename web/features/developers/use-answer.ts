import { useEffect, useState } from "react";
import { useLatest } from "../../lib/use-latest.ts";

/** Result of `request` for `key`, fetched again when the key changes or on retry. */
export function useAnswer<Answer>(key: string, request: () => Promise<Answer>) {
  const [state, setState] = useState<{ of: string; answer?: Answer; failed?: true }>();
  const [tries, setTries] = useState(0);
  const latest = useLatest(request);
  useEffect(() => {
    let current = true;
    setState(undefined);
    latest.current().then(
      (answer) => current && setState({ of: key, answer }),
      () => current && setState({ of: key, failed: true }),
    );
    return () => {
      current = false;
    };
  }, [key, tries, latest]);
  const fresh = state?.of === key ? state : undefined;
  return { answer: fresh?.answer, failed: fresh?.failed ?? false, again: () => setTries(tries + 1) };
}
