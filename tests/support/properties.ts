import { fc, test } from "@fast-check/vitest";

export const seed = Number(process.env.FUZZ_SEED ?? 20_261_123);

fc.configureGlobal({ seed });

export { fc, test };
