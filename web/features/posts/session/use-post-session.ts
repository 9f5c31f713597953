import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useLatest } from "../../../lib/use-latest.ts";
import { PostSession, type PostSessionOptions, type PostView } from "./session.ts";

/** The writing session of this component's life, and what it shows. All options but the listeners are those of the first render. */
export function usePostSession(options: PostSessionOptions): { session: PostSession; view: PostView } {
  const latest = useLatest(options);
  const [session] = useState(
    () =>
      new PostSession({
        ...options,
        onCreated: (post) => latest.current.onCreated(post),
        onCompare: (version) => latest.current.onCompare?.(version),
      }),
  );
  useLayoutEffect(() => session.enter(), [session]); // left before the editor is taken away: it is read once more
  return { session, view: useSyncExternalStore(session.subscribe, session.getSnapshot) };
}
