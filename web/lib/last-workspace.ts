import { readStored, writeStored } from "./storage.ts";

/** Source: specification, section 9. */
const key = "tc:lastWorkspaceId";

export const lastWorkspaceId = (): string | null => readStored("session", key);
export const rememberWorkspace = (id: string): boolean => writeStored("session", key, id);
export const forgetWorkspace = (): boolean => writeStored("session", key, null);
