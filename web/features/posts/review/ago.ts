import { relativeTime } from "#contract/rules/relative-time.ts";

/** As lists say it, within a sentence. */
export const ago = (time: string, now: Date): string => relativeTime(time, now).replace(/^Just/, "just");
