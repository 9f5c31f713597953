const storedImages = "/storage/v1/object/public/";

export function storedPath(source: string): string | null {
  if (!URL.canParse(source, location.href)) return null;
  const { origin, pathname } = new URL(source, location.href);
  return origin === location.origin && pathname.startsWith(storedImages) ? pathname : null;
}

/** Host of an image on another site; null for this site or an invalid URL. */
export function otherHost(source: string): string | null {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return null;
  const { origin, host } = new URL(source);
  return origin === location.origin ? null : host;
}
