import { supabaseBrowser } from "../../../lib/supabase-browser.ts";

/** Sends a mail with a link that lets its reader choose a new password; the same whether the address is known or not. Throws ApiError or AuthError. */
export async function sendPasswordLink(email: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.resetPasswordForEmail(email);
  if (error) throw error;
}

/** Sets the signed-in person's password. Throws ApiError or AuthError; the latter's message is a sentence for the person. */
export async function setPassword(password: string): Promise<void> {
  const { error } = await (await supabaseBrowser()).auth.updateUser({ password });
  if (error) throw error;
}
