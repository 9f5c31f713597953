import "../../lib/zod-without-eval.ts";
import { type ReadRequest, readSource } from "#importers/read-source.ts";

/** Parses off the main thread (./reading.ts). Rethrows bugs, so they reach the page as worker errors. */
addEventListener("message", ({ data }: MessageEvent<ReadRequest>) => {
  readSource(data, (message, transfer = []) => postMessage(message, { transfer })).catch((error: unknown) => {
    setTimeout(() => {
      throw error;
    });
  });
});
