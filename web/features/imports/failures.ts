import { ApiError } from "../../lib/api-client.ts";

/** Its message is meant for the user. */
export class ReadingProblem extends Error {
  override readonly name = "ReadingProblem";
}

/** Message for the user. */
export function errorMessage(error: unknown): string {
  if (error instanceof ReadingProblem) return error.message;
  if (error instanceof ApiError) return error.sentence;
  console.warn("An import failed.", error);
  return "Something went wrong on our side. Please try again.";
}
