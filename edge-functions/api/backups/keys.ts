const shape =
  /^tidings\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([a-z0-9-]{3,63})-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.zip(\.age)?$/;

export const everyCopy = "tidings/";
export const copiesOf = (workspaceId: string) => `${everyCopy}${workspaceId}/`;

export function keyOf({ id, subdomain }: { id: string; subdomain: string }, now: Date, isClosed: boolean): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${copiesOf(id)}${subdomain}-${moment}Z.zip${isClosed ? ".age" : ""}`;
}

export function readKey(key: string): { workspaceId: string; madeAt: Date; isClosed: boolean } | null {
  const [, workspaceId, , day, hours, minutes, seconds, age] = shape.exec(key) ?? [];
  const madeAt = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  if (workspaceId === undefined || Number.isNaN(madeAt.getTime())) return null;
  return { workspaceId, madeAt, isClosed: age !== undefined };
}

/** Expired backups; the newest always stays. */
export function outdated(keys: readonly string[], keepDays: number, now: Date): string[] {
  const until = now.getTime() - keepDays * 86_400_000;
  const copies = keys.flatMap((key) => {
    const read = readKey(key);
    return read ? [{ key, at: read.madeAt.getTime() }] : [];
  });
  const newest = Math.max(...copies.map(({ at }) => at));
  return copies.filter(({ at }) => at < until && at !== newest).map(({ key }) => key);
}
