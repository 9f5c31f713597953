/**
 * Race: Editor.js binds the keyboard of a new block in requestIdleCallback, so fast typing is handled by the browser and Enter merges
 * paragraphs. Runs idle callbacks in a microtask instead. Only once the editor has started. Returns a cleanup function.
 */
export function runIdleCallbacksImmediately(): () => void {
  const whenIdle = window.requestIdleCallback;
  window.requestIdleCallback = (callback) => {
    queueMicrotask(() => callback({ didTimeout: false, timeRemaining: () => 50 }));
    return 0;
  };
  return () => {
    window.requestIdleCallback = whenIdle;
  };
}
