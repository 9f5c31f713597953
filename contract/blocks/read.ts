import type { blockLimits } from "./limits.ts";

export type Unknown = Record<string, unknown>;
export type Limits = Record<keyof typeof blockLimits, number>;

export const isObject = (value: unknown): value is Unknown => typeof value === "object" && value !== null && !Array.isArray(value);
export const asObject = (value: unknown): Unknown => (isObject(value) ? value : {});
export const asList = (value: unknown, max: number): unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);
export const asInt = (value: unknown, min: number, max: number): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
export const asOneOf = <const T>(value: unknown, allowed: readonly T[]): T | undefined => allowed.find((candidate) => candidate === value);
/** Omits undefined keys, so that cleaning twice and JSON agree. */
export const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
