/** Pauses that the pages make for the eye, in tests that are about something else. */
const short = { pageLoadingMs: 0, onboardingStepMs: 0, postLoginRedirectDelayMs: 0 };
let isShort = true;

/** From here to the end of the test they are as long as people have them. */
export const truePauses = (): void => void (isShort = false);
export const shortPauses = (): void => void (isShort = true);

/** The times of web/lib/timings.ts with these pauses, as long as they are now. */
export function withPauses<Times extends object>(times: Times): Times {
  const pauses = Object.keys(short) as (keyof typeof short)[];
  const descriptors = pauses.map((name) => [
    name,
    { enumerable: true, get: () => (isShort ? short[name] : (times as typeof short)[name]) },
  ]);
  return Object.defineProperties({ ...times }, Object.fromEntries(descriptors) as PropertyDescriptorMap);
}
