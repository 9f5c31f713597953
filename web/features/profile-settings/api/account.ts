import { supabaseBrowser } from "../../../lib/supabase-browser.ts";

/** Asks for another e-mail address; it counts once the mailed link was opened. Throws ApiError or AuthError, whose message is a sentence. */
export async function changeEmail(email: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser({ email });
  if (error) throw error;
}
