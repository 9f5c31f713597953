import { z } from "zod";
import type { ErrorBody } from "./errors.ts";

export const errorBody: z.ZodType<ErrorBody> = z.object({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  request_id: z.string().optional(),
  conflict: z.object({ version: z.int(), updated_at: z.string(), updated_by_name: z.string() }).optional(),
  scope: z.string().optional(),
});
