let placeholders = 0;

/** Counts a page placeholder, and removes index.html's shell once the last one has been replaced by a page. */
export function countPlaceholder(): () => void {
  placeholders += 1;
  return () => {
    placeholders -= 1;
    queueMicrotask(() => placeholders === 0 && document.getElementById("shell")?.remove());
  };
}
