import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { ApiError } from "./api-client.ts";
import { supabaseBrowser } from "./supabase-browser.ts";

/** What a refusal of the auth service has that concerns us. */
interface Refusal {
  message: string;
  status?: number;
  code?: string;
}

/** Sets the signed-in person's password. Throws ApiError, whose message is a sentence for the person. */
export async function changePassword(password: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser({ password });
  if (error) throw refused(error);
}

function refused({ message, status = 0, code }: Refusal): ApiError {
  if (status === 0 || status >= 500) return known(status, "unavailable");
  if (status === 429) return known(status, "rate_limited");
  if (status === 401 || status === 403 || code === undefined) return known(status, "unauthenticated"); // without a session there is no code
  return new ApiError(status, "validation_failed", message, { fields: { password: message } });
}

const known = (status: number, code: ErrorCode): ApiError => new ApiError(status, code, errorCatalogue[code].sentence);
