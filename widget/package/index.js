import "./widget.js";

export const Tidings = globalThis.Tidings;
