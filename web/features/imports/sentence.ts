import { ApiError } from "../../lib/api-client.ts";
import { ReadingProblem } from "./reading.ts";

/** Why something failed, for a person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ReadingProblem) return error.message;
  if (error instanceof ApiError) return error.sentence;
  console.warn("An import failed.", error);
  return "Something went wrong on our side. Please try again.";
}
