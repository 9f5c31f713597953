import { filesOf, replaceFile } from "./lifecycle.ts";

/** {TIDINGS_DATA_DIR}/stack.json: connection details of the running stack. */
export interface StackFile {
  url: string;
  publicUrl: string;
  dbUrl: string;
  ownerUrl: string;
  publishableKey: string;
  secretKey: string;
  jwtSecret: string;
  /** 0 while a part is down. */
  pids: { supervisor: number; postgres: number; functions: Record<string, number> };
  ports: { gateway: number; postgres: number; functions: Record<string, number> };
}

export const writeStackFile = (dataDir: string, content: StackFile): void =>
  replaceFile(filesOf(dataDir).stack, JSON.stringify(content, null, 2));
