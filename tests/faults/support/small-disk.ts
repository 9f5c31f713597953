import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export interface SmallDisk {
  folder: string;
  remove(): void;
}

export const onlyRootMounts = "a file system of its own can be mounted by root only";

export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-small-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]).status === 0;
  if (!mounted) fs.rmSync(folder, { recursive: true });
  return mounted ? { folder, remove: () => unmount(folder) } : null;
}

function unmount(folder: string): void {
  execFileSync("umount", ["-l", folder]);
  fs.rmSync(folder, { recursive: true, force: true });
}
