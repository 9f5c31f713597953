/** Reads browser storage; null when there is nothing or storage is closed (private windows, blocked cookies). */
export function readStored(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** Writes browser storage, or removes with null. Returns whether it was kept: storage may be full or closed. */
export function writeStored(storage: Storage, key: string, value: string | null): boolean {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
