import { installHeadway } from "./headway.ts";

// A fault of ours is never one of the page's.
try {
  installHeadway(document.currentScript);
} catch {
  // Silent on purpose.
}
