import "../../lib/zod-without-eval.ts";
import { type ReadRequest, readSource } from "#importers/read-source.ts";

/** Reads apart from the page (./reading.ts), which stays responsive. A fault of ours reaches the page as the worker's error. */
addEventListener("message", ({ data }: MessageEvent<ReadRequest>) => {
  readSource(data, (news, transfer = []) => postMessage(news, { transfer })).catch((error: unknown) => {
    setTimeout(() => {
      throw error;
    });
  });
});
