import { createListeners } from "./listeners.ts";

/** What lies over any page of a workspace: the search palette, the list of shortcuts, the workspace's tags, its templates. */
export type Overlay = "palette" | "shortcuts" | "tags" | "templates";

const wanted = createListeners<[overlay: Overlay]>();
/** Asks for one; web/app/overlays.tsx shows it. */
export const openOverlay = wanted.tell;
/** Returns how to stop listening. */
export const onOverlay = wanted.listen;
