import { supabaseBrowser } from "../../../lib/supabase-browser.ts";

/** Sets the signed-in person's password. Throws ApiError or AuthError; the latter's message is a sentence for the person. */
export async function setPassword(password: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser({ password });
  if (error) throw error;
}
