import { useEffect, useState } from "react";
import { keepPictures, readPictures, type Pictures } from "./picture-store.ts";

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
