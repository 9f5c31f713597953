import { useEffect, useState } from "react";

/**
 * Keeps the chosen logo and avatar until they are uploaded, because sessionStorage holds no files.
 * A key belongs to one tab's draft; what other tabs left behind goes after a day. Without IndexedDB nothing is kept and nothing fails.
 */
export interface Pictures {
  logo?: File;
  avatar?: File;
}

const dayMs = 86_400_000;

interface Kept {
  logo: Plain | undefined;
  avatar: Plain | undefined;
  keptAt: number;
}
/** A file as bytes: not every browser takes a File into its database. */
type Plain = { name: string; type: string; bytes: ArrayBuffer };

async function readPictures(key: string): Promise<Pictures> {
  const kept = await ask<Kept | undefined>("readonly", (store) => store.get(key));
  return { logo: toFile(kept?.logo), avatar: toFile(kept?.avatar) };
}

async function keepPictures(key: string, pictures: Pictures): Promise<void> {
  const [logo, avatar] = await Promise.all([toPlain(pictures.logo), toPlain(pictures.avatar)]);
  await ask("readwrite", (store) => {
    const old = store.index("keptAt").openKeyCursor(IDBKeyRange.upperBound(Date.now() - dayMs));
    old.onsuccess = () => {
      if (!old.result) return;
      store.delete(old.result.primaryKey);
      old.result.continue();
    };
    return store.put({ logo, avatar, keptAt: Date.now() } satisfies Kept, key);
  });
}

export async function dropPictures(key: string): Promise<void> {
  await ask("readwrite", (store) => store.delete(key));
}

const toFile = (kept: Plain | undefined): File | undefined => kept && new File([kept.bytes], kept.name, { type: kept.type });
const toPlain = async (file: File | undefined): Promise<Plain | undefined> =>
  file && { name: file.name, type: file.type, bytes: await file.arrayBuffer() };

async function ask<Answer>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<Answer | undefined> {
  try {
    const database = await settled(opening());
    try {
      return await settled<Answer>(act(database.transaction("pictures", mode).objectStore("pictures")));
    } finally {
      database.close();
    }
  } catch (error) {
    console.warn("The pictures could not be kept for a reload.", error);
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

/** The chosen logo and avatar, kept under `key` for a reload. */
export function usePictures(key: string) {
  const [pictures, setPictures] = useState<Pictures>({});
  useEffect(() => {
    let current = true;
    void readPictures(key).then(
      (kept) => current && setPictures((chosen) => ({ logo: chosen.logo ?? kept.logo, avatar: chosen.avatar ?? kept.avatar })),
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
