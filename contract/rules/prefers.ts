/** True if an Accept header names `type` with at least the weight of `usual`, the default. */
export function prefers(accept: string | null, type: string, usual: string): boolean {
  if (!accept?.toLowerCase().includes(type)) return false;
  const wishes = accept.split(",").map(readWish);
  const qualityOf = (...names: string[]): number => {
    for (const name of names) {
      const found = wishes.filter((wish) => wish.name === name);
      if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
    }
    return 0;
  };
  const asked = qualityOf(type);
  return asked > 0 && asked >= qualityOf(usual, `${usual.slice(0, usual.indexOf("/"))}/*`, "*/*");
}

function readWish(wish: string): { name: string; quality: number } {
  const [name = "", ...parameters] = wish.split(";").map((part) => part.trim().toLowerCase());
  const said = parameters.find((one) => one.startsWith("q="))?.slice(2);
  const quality = said === undefined ? 1 : Number(said === "" ? NaN : said);
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
