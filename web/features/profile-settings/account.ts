import { changeAccount } from "../../lib/change-account.ts";

/** Asks for another e-mail address; it counts once the mailed link was opened. Throws ApiError: why the mail was not sent. */
export const changeEmail = (email: string): Promise<void> => changeAccount({ email });
