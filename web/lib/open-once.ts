import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** Opens an IndexedDB database at the first call. A later call opens it again if that failed, or another tab upgraded it. */
export function openOnce<Schema extends DBSchema>(
  name: string,
  upgrade: (database: IDBPDatabase<Schema>) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const again = () => void (opening = null);
  return () => {
    opening ??= openDB<Schema>(name, 1, {
      upgrade,
      blocking: (_version, _wanted, { target }) => {
        (target as IDBDatabase).close();
        again();
      },
      terminated: again,
    });
    opening.catch(again);
    return opening;
  };
}
