import { profileEndpoints } from "#contract/profile.ts";
import { call } from "./api-client.ts";

export async function changePassword(password: string): Promise<void> {
  await call(profileEndpoints.changePassword, { body: { password } });
}
