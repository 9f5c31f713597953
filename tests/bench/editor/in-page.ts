export interface Seen {
  keys: number[];
  tasks: number[];
}

export function observe(): void {
  const seen: Seen = { keys: [], tasks: [] };
  Object.assign(window, { seen });
  const events = new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === "keydown") seen.keys.push(duration);
  });
  events.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
}

export function openedAfterData({ id, blocks }: { id: string; blocks: number }): Promise<number> {
  return new Promise((resolve) => {
    document.querySelector<HTMLElement>(`nav a[href$="${id}"], section a[href$="${id}"]`)?.click();
    const look = () => {
      const editor = document.querySelector<HTMLElement>(".post-editor:not([hidden])");
      if (editor && editor.querySelectorAll(".ce-block").length === blocks) {
        const answer = performance.getEntriesByType("resource").findLast(({ name }) => new URL(name).pathname === `/api/posts/${id}`);
        const { responseEnd } = answer as PerformanceResourceTiming;
        requestAnimationFrame(() => resolve(performance.now() - responseEnd));
      } else requestAnimationFrame(look);
    };
    look();
  });
}

export async function scrollThrough(count: number): Promise<void> {
  const list = document.querySelector<HTMLElement>("ul[aria-label=Posts]")!;
  const scroller = list.parentElement!;
  scroller.style.scrollBehavior = "auto";
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const listed = () => Number(list.querySelector("li")?.getAttribute("aria-setsize") ?? 0);
  for (let idle = 0, known = 0; listed() < count && idle < 600;) {
    scroller.scrollTop = scroller.scrollHeight;
    await frame();
    idle = listed() === known ? idle + 1 : 0;
    known = listed();
  }
  if (listed() < count) throw new Error(`only ${listed()} of ${count} posts came in`);
  for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight) {
    scroller.scrollTop = top;
    await frame();
  }
}
