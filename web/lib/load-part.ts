/**
 * A part of the app that could not be loaded before is asked for anew. A browser keeps to what it found under an address, for as long as the
 * page lives, and Vite to the styles it asked for: so this asks under another address, which stands in the error that Chromium and Firefox
 * give, and for the styles once more.
 */
export async function loadPart<Part>(load: () => Promise<Part>, triesLeft = 2): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    if (triesLeft === 0) throw failure;
    const message = failure instanceof Error ? failure.message : "";
    const style = /preload CSS for (\S+)/.exec(message)?.[1];
    if (style) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
    const script = /https?:\S+\.js/.exec(message)?.[0];
    const again = () => import(/* @vite-ignore */ `${script}?again=${Date.now()}`) as Promise<Part>;
    return await loadPart(script ? again : load, triesLeft - 1);
  }
}
