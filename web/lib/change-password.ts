import { profileEndpoints } from "#contract/profile.ts";
import { call } from "./api-client.ts";

/** `currentPassword` isn't needed after a reset link. */
export async function changePassword(password: string, currentPassword = ""): Promise<void> {
  await call(profileEndpoints.changePassword, { body: { password, currentPassword } });
}
