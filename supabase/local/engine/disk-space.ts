import fs from "node:fs/promises";

/** What stays free for Postgres, in bytes: uploads end before. */
const reserve = 64 * 1024 * 1024;

/** True if so little space is left on the folder's disk that uploads are refused. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await fs.statfs(folder);
  return bavail * bsize < reserve;
}
