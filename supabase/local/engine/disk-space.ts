import fs from "node:fs/promises";

/** Bytes reserved for Postgres: uploads are refused below this. */
const reserve = 64 * 1024 * 1024;

export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await fs.statfs(folder);
  return bavail * bsize < reserve;
}
