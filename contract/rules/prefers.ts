/** True if an Accept header names `type` with at least the weight of `usual`, the default. */
export function prefers(accept: string | null, type: string, usual: string): boolean {
  if (!accept?.toLowerCase().includes(type)) return false;
  const wishes = accept.split(",").map(readWish);
  const qualityOf = (...names: string[]): number => {
    for (const name of names) {
      const matching = wishes.filter((range) => range.name === name);
      if (matching.length > 0) return Math.max(...matching.map(({ quality }) => quality));
    }
    return 0;
  };
  const typeQuality = qualityOf(type);
  return typeQuality > 0 && typeQuality >= qualityOf(usual, `${usual.slice(0, usual.indexOf("/"))}/*`, "*/*");
}

function readWish(range: string): { name: string; quality: number } {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight === "" ? NaN : weight);
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
