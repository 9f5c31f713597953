/** Short delays, for tests of something else. */
const short = { pageLoadingMs: 0, onboardingStepMs: 0, postLoginRedirectDelayMs: 0 };
let isShort = true;

/** Restores the real delays until the end of the test. */
export const truePauses = (): void => void (isShort = false);
export const shortPauses = (): void => void (isShort = true);

export function withPauses<Times extends object>(times: Times): Times {
  const pauses = Object.keys(short) as (keyof typeof short)[];
  const descriptors = pauses.map((name) => [
    name,
    { enumerable: true, get: () => (isShort ? short[name] : (times as typeof short)[name]) },
  ]);
  return Object.defineProperties({ ...times }, Object.fromEntries(descriptors) as PropertyDescriptorMap);
}
