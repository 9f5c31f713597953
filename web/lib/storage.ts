/** Blocked storage (private windows, blocked cookies) throws on access. */
export type StorageArea = "local" | "session";

const areas: Record<StorageArea, () => Storage> = { local: () => localStorage, session: () => sessionStorage };

export function readStored(area: StorageArea, key: string): string | null {
  try {
    return areas[area]().getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the entry. Returns false if storage is full or blocked. */
export function writeStored(area: StorageArea, key: string, value: string | null): boolean {
  try {
    if (value === null) areas[area]().removeItem(key);
    else areas[area]().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
