import { fc, test } from "@fast-check/vitest";

/** Each run looks at the same cases, so that what fails comes from the change; FUZZ_SEED, any number, looks at others. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_123);

fc.configureGlobal({ seed });

export { fc, test };
