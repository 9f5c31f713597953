import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { ApiError } from "./api-client.ts";
import { supabaseBrowser } from "./supabase-browser.ts";

/** What a refusal of the auth service has that concerns us. */
interface Refusal {
  message: string;
  status?: number;
  code?: string;
}

/**
 * Changes what the signed-in person signs in with; another address counts once its mailed link was opened. Throws ApiError, whose message
 * is a sentence for the person. An address that has an account is answered like any other (product decision 15).
 */
export async function changeAccount(change: { password: string } | { email: string }): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser(change);
  if (error && !isKnownAddress(error)) throw refused(error, Object.keys(change)[0]!);
}

const isKnownAddress = ({ code }: Refusal): boolean => code === "email_exists" || code === "user_already_exists";

function refused({ message, status = 0, code }: Refusal, field: string): ApiError {
  if (status === 0 || status >= 500) return known(status, "unavailable");
  if (status === 429) return known(status, "rate_limited");
  if (status === 401 || status === 403 || code === undefined) return known(status, "unauthenticated"); // without a session there is no code
  return new ApiError(status, "validation_failed", message, { fields: { [field]: message } });
}

const known = (status: number, code: ErrorCode): ApiError => new ApiError(status, code, errorCatalogue[code].sentence);
