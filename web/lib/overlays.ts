import { createListeners } from "./listeners.ts";

export type Overlay = "palette" | "shortcuts" | "tags" | "templates";

const requests = createListeners<[overlay: Overlay]>();
export const openOverlay = requests.notify;
export const onOverlay = requests.listen;
