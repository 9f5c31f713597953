/** An address as people write it, with or without https://; http is asked by https, where only the internet is asked. Null for what is none. */
export function addressOf(text: string, toPrivate: boolean): URL | null {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if (url.protocol === "http:" && !toPrivate && url.port === "") url.protocol = "https:";
  if (!/^https?:$/.test(url.protocol)) return null;
  url.username = url.password = url.hash = "";
  return url;
}

/** What `after` names: the number of a page, and what else is needed to ask for it. */
export interface Place {
  page: number;
  rest: string;
}

export const firstPlace: Place = { page: 1, rest: "" };
const longestRest = 1_990;

/** Null for what no answer of ours has named. */
export function placeOf(after: string | null, mostPages: number): Place | null {
  if (after === null) return firstPlace;
  const [, page, rest = ""] = /^([1-9]\d{0,3})(?: (\S+))?$/.exec(after) ?? [];
  return page === undefined || Number(page) > mostPages ? null : { page: Number(page), rest };
}

/** Null: there is no further page, or none that would be asked. */
export function nextPlace({ page }: Place, mostPages: number, rest = ""): string | null {
  if (page >= mostPages || rest.length > longestRest || /\s/.test(rest)) return null;
  return rest === "" ? String(page + 1) : `${page + 1} ${rest}`;
}
