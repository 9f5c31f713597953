import { changeAccount } from "../../lib/change-account.ts";

/** Sets the signed-in person's password. Throws ApiError: why it was not taken. */
export const setPassword = (password: string): Promise<void> => changeAccount({ password });
