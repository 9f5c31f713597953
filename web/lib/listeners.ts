export interface Listeners<Args extends unknown[]> {
  notify(...args: Args): void;
  listen(listener: (...args: Args) => void): () => void;
}

export function createListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const all = new Set<(...args: Args) => void>();
  return {
    notify: (...args) => all.forEach((listener) => listener(...args)),
    listen: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
