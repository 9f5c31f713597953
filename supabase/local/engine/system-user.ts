import { spawnSync } from "node:child_process";
import { StartError } from "../start-error.ts";

export interface SystemUser {
  uid: number;
  gid: number;
}

export function systemUser(name: string): SystemUser {
  return find(name) ?? create(name);
}

function find(name: string): SystemUser | null {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

function create(name: string): SystemUser {
  spawnSync("groupadd", ["--system", name]);
  spawnSync("useradd", ["--system", "--gid", name, "--no-create-home", name]);
  const user = find(name);
  if (user) return user;
  throw new StartError(`Postgres doesn't run as root, and the user "${name}" can't be created. Start Tidings as an ordinary user.`);
}
