import { install } from "./install.ts";

// Errors must never reach the host page.
try {
  install(document.currentScript);
} catch {
  // Silent on purpose.
}
