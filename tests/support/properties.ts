import { fc, test } from "@fast-check/vitest";

/** The seed is fixed, so a failure comes from the change; FUZZ_SEED overrides it. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_123);

fc.configureGlobal({ seed });

export { fc, test };
