export function addressOf(text: string, toPrivate: boolean): URL | null {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if (url.protocol === "http:" && !toPrivate && url.port === "") url.protocol = "https:";
  if (!/^https?:$/.test(url.protocol)) return null;
  url.username = url.password = url.hash = "";
  return url;
}

export interface Place {
  page: number;
  rest: string;
}

export const firstPlace: Place = { page: 1, rest: "" };
const longestRest = 1_990;

export function placeOf(after: string | null, mostPages: number): Place | null {
  if (after === null) return firstPlace;
  const [, page, rest = ""] = /^([1-9]\d{0,3})(?: (\S+))?$/.exec(after) ?? [];
  return page === undefined || Number(page) > mostPages ? null : { page: Number(page), rest };
}

export function nextPlace({ page }: Place, mostPages: number, rest = ""): string | null {
  if (page >= mostPages || rest.length > longestRest || /\s/.test(rest)) return null;
  return rest === "" ? String(page + 1) : `${page + 1} ${rest}`;
}
