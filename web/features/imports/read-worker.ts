import "../../lib/zod-without-eval.ts";
import { findAdapter } from "./find-adapter.ts";
import type { ReadRequest } from "./read-protocol.ts";
import { readSource } from "./read-source.ts";

/** Reads away from the page (./reading.ts), which stays at hand. A fault of ours reaches the page as the worker's error. */
addEventListener("message", ({ data }: MessageEvent<ReadRequest>) => {
  readSource(data, findAdapter, (news, moved = []) => postMessage(news, { transfer: moved })).catch((error: unknown) => {
    setTimeout(() => {
      throw error;
    });
  });
});
