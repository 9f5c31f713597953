import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useLatest } from "../../lib/use-latest.ts";
import { PostSession, type PostSessionOptions, type PostView } from "./session.ts";

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
  useLayoutEffect(() => session.enter(), [session]); // layout effect: the editor is read once more before it unmounts
  return { session, view: useSyncExternalStore(session.subscribe, session.getSnapshot) };
}
