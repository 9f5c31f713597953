import { ApiError } from "../../lib/api-client.ts";
import { ReadingProblem } from "./reading.ts";

/** Why something failed, for a person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ReadingProblem) return error.message;
  if (error instanceof ApiError) return Object.values(error.fields)[0] ?? error.message;
  console.warn("An import failed.", error);
  return "Something went wrong on our side. Please try again.";
}
