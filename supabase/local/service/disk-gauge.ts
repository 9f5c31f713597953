import fs from "node:fs/promises";
import type { Sql } from "postgres";
import type { Part } from "../engine/parts.ts";

const everyMs = 60_000;

/** Records disk size and free space every minute, for the operator's page. */
export function createDiskGauge(sql: Sql, dataDir: string): Part {
  async function note(): Promise<void> {
    const { blocks, bavail, bsize } = await fs.statfs(dataDir);
    await sql`update private.machine set disk_bytes = ${blocks * bsize}, free_bytes = ${bavail * bsize}`;
  }
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: "disk gauge",
    async start() {
      await note();
      timer = setInterval(() => void note().catch((error: unknown) => console.error("disk gauge:", error)), everyMs);
    },
    stop: () => clearInterval(timer),
  };
}
