const looked = 300_000;

const attributes = (tag: string): Map<string, string> =>
  new Map(
    [...tag.matchAll(/([a-z-]{1,20})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(([, name, ...values]) => [
      name!.toLowerCase(),
      (values.find((value) => value !== undefined) ?? "").replaceAll("&amp;", "&").trim(),
    ]),
  );

export function linksIn(text: string): ReadonlyMap<string, string>[] {
  return [...text.slice(0, looked).matchAll(/<(?:link|a|atom:link)\s([^<>]{1,3000})>/gi)].map(([, tag]) => attributes(tag!));
}
