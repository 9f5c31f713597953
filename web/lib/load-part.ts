/** Retries a dynamic import under a new URL: browsers cache a failed module for the page's lifetime, and Vite a failed stylesheet. */
export async function loadPart<Part>(load: () => Promise<Part>, triesLeft = 2): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    if (triesLeft === 0) throw failure;
    const message = failure instanceof Error ? failure.message : "";
    const style = /preload CSS for (\S+)/.exec(message)?.[1];
    if (style) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
    const script = /https?:\S+\.js/.exec(message)?.[0];
    const reimport = () => import(/* @vite-ignore */ `${script}?again=${Date.now()}`) as Promise<Part>;
    return await loadPart(script ? reimport : load, triesLeft - 1);
  }
}
