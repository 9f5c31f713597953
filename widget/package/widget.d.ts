/** The script sets `window.Tidings`, of this type, and exports no value. */
export type { TidingsApi } from "./index.js";
