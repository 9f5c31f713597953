import { toBase64 } from "../../_shared/base64.ts";

export const newSecret = (): string => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
