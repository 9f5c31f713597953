import { install } from "./install.ts";

// A fault of ours is never one of the page's.
try {
  install(document.currentScript);
} catch {
  // Silent on purpose.
}
