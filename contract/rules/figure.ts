/**
 * A whole number as people read it in English, e.g. 12,000. Not by Intl: what that loads for its first number is a tenth of a function's start, and
 * sentences with limits in them are made at each.
 */
export const figure = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
