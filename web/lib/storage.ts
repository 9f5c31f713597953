/** A browser's storage by name: where it is closed (private windows, blocked cookies) even naming the object throws. */
export type StorageArea = "local" | "session";

const areas: Record<StorageArea, () => Storage> = { local: () => localStorage, session: () => sessionStorage };

/** Reads browser storage; null when there is nothing or storage is closed. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return areas[area]().getItem(key);
  } catch {
    return null;
  }
}

/** Writes browser storage, or removes with null. Returns whether it was kept: storage may be full or closed. */
export function writeStored(area: StorageArea, key: string, value: string | null): boolean {
  try {
    if (value === null) areas[area]().removeItem(key);
    else areas[area]().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
