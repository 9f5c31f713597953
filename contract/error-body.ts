import { z } from "zod";
import type { ErrorBody, Problem } from "./errors.ts";

const errorFields = {
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  request_id: z.string().optional(),
  conflict: z.object({ version: z.int(), updated_at: z.string(), updated_by_name: z.string() }).optional(),
  scope: z.string().optional(),
};

export const errorBody: z.ZodType<ErrorBody> = z.object(errorFields);

/** Errors of /api/v1. Source: RFC 9457. */
export const problemType = "application/problem+json";
export const problem: z.ZodType<Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  ...errorFields,
});
