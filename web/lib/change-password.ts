import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { ApiError } from "./api-client.ts";
import { supabaseBrowser } from "./supabase-browser.ts";

interface Refusal {
  message: string;
  status?: number;
  code?: string;
}

export async function changePassword(password: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser({ password });
  if (error) throw toApiError(error);
}

function toApiError({ message, status = 0, code }: Refusal): ApiError {
  if (status === 0 || status >= 500) return catalogueError(status, "unavailable");
  if (status === 429) return catalogueError(status, "rate_limited");
  if (status === 401 || status === 403 || code === undefined) return catalogueError(status, "unauthenticated");
  return new ApiError(status, "validation_failed", message, { fields: { password: message } });
}

const catalogueError = (status: number, code: ErrorCode): ApiError => new ApiError(status, code, errorCatalogue[code].sentence);
