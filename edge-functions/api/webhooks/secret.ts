import { toBase64 } from "../../_shared/base64.ts";

/** A secret of Standard Webhooks: thirty-two bytes that nobody can guess. */
export const newSecret = (): string => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
