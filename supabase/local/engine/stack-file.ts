import { filesOf, replaceFile } from "./lifecycle.ts";

/** {DATA_DIR}/stack.json: connection details of the running stack. */
export interface StackFile {
  /** Gateway URL at 127.0.0.1. */
  url: string;
  publicUrl: string;
  /** Connection string of supabase_admin. */
  dbUrl: string;
  /** Connection string of postgres, used by migrations. */
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
