import { useEffect, useState } from "react";

/** IndexedDB store for chosen images until upload, keyed by draft; entries expire after a day. No-op without IndexedDB. */
export interface Pictures {
  logo?: File;
  avatar?: File;
}

const dayMs = 86_400_000;

interface StoredPictures {
  logo: StoredFile | undefined;
  avatar: StoredFile | undefined;
  keptAt: number;
}
/** A file as bytes: not every browser stores a File. */
type StoredFile = { name: string; type: string; bytes: ArrayBuffer };

async function readPictures(key: string): Promise<Pictures> {
  const stored = await runTransaction<StoredPictures | undefined>("readonly", (store) => store.get(key));
  return { logo: fromStored(stored?.logo), avatar: fromStored(stored?.avatar) };
}

async function keepPictures(key: string, pictures: Pictures): Promise<void> {
  const [logo, avatar] = await Promise.all([toStored(pictures.logo), toStored(pictures.avatar)]);
  await runTransaction("readwrite", (store) => {
    const old = store.index("keptAt").openKeyCursor(IDBKeyRange.upperBound(Date.now() - dayMs));
    old.onsuccess = () => {
      if (!old.result) return;
      store.delete(old.result.primaryKey);
      old.result.continue();
    };
    return store.put({ logo, avatar, keptAt: Date.now() } satisfies StoredPictures, key);
  });
}

export async function dropPictures(key: string): Promise<void> {
  await runTransaction("readwrite", (store) => store.delete(key));
}

const fromStored = (stored: StoredFile | undefined): File | undefined =>
  stored && new File([stored.bytes], stored.name, { type: stored.type });
const toStored = async (file: File | undefined): Promise<StoredFile | undefined> =>
  file && { name: file.name, type: file.type, bytes: await file.arrayBuffer() };

async function runTransaction<Answer>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<Answer | undefined> {
  try {
    const database = await settled(opening());
    try {
      return await settled<Answer>(act(database.transaction("pictures", mode).objectStore("pictures")));
    } finally {
      database.close();
    }
  } catch (error) {
    console.warn("Couldn't store the images for a reload.", error);
    return undefined;
  }
}

function opening(): IDBOpenDBRequest {
  const request = indexedDB.open("tidings-onboarding", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("pictures").createIndex("keptAt", "keptAt");
  return request;
}

function settled<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
  });
}

/** Chosen images, stored under `key` for a reload. */
export function usePictures(key: string) {
  const [pictures, setPictures] = useState<Pictures>({});
  useEffect(() => {
    let current = true;
    void readPictures(key).then(
      (stored) => current && setPictures((chosen) => ({ logo: chosen.logo ?? stored.logo, avatar: chosen.avatar ?? stored.avatar })),
    );
    return () => void (current = false);
  }, [key]);

  function choose(name: keyof Pictures, file: File | undefined) {
    const next = { ...pictures, [name]: file };
    setPictures(next);
    void keepPictures(key, next);
  }
  return { pictures, choose };
}
