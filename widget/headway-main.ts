import { installHeadway } from "./headway.ts";

// Errors must never reach the host page.
try {
  installHeadway(document.currentScript);
} catch {
  // Silent on purpose.
}
