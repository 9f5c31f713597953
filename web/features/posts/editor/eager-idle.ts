/**
 * Editor.js connects a new block to the keyboard "when the browser is idle". Who types fast is faster than that, and Enter then does
 * what the browser does: two paragraphs become one. While an editor runs, idle work is done right after the event at hand.
 * Returns how to end this; a starting editor needs the browser's own way.
 */
export function runIdleWorkAtOnce(): () => void {
  const whenIdle = window.requestIdleCallback;
  window.requestIdleCallback = (callback) => {
    queueMicrotask(() => callback({ didTimeout: false, timeRemaining: () => 50 }));
    return 0;
  };
  return () => {
    window.requestIdleCallback = whenIdle;
  };
}
