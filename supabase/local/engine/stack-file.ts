import { filesOf, replaceFile } from "./lifecycle.ts";

/** {DATA_DIR}/stack.json: what a test or a person needs of the running stack. */
export interface StackFile {
  /** The gateway, at 127.0.0.1. */
  url: string;
  /** The app as browsers know it, at localhost. */
  publicUrl: string;
  /** Database as superuser supabase_admin. */
  dbUrl: string;
  /** Database as role postgres, as migrations run. */
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
