/** Those who want to hear of something. */
export interface Listeners<News extends unknown[]> {
  tell(...news: News): void;
  /** Returns how to stop listening. */
  listen(listener: (...news: News) => void): () => void;
}

export function createListeners<News extends unknown[] = []>(): Listeners<News> {
  const all = new Set<(...news: News) => void>();
  return {
    tell: (...news) => all.forEach((listener) => listener(...news)),
    listen: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
