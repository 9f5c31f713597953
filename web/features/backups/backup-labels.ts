const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** "3.4 MB" */
export function formatSize(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[step],
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}

const count = (number: number, one: string, many: string) => `${number.toLocaleString()} ${number === 1 ? one : many}`;

export const formatImageCount = (images: number): string => count(images, "image", "images");

/** "12 posts, 3 images, 3.4 MB" */
export function formatContent({ posts, images, bytes }: { posts: number | null; images: number | null; bytes: number | null }): string {
  return [posts !== null && count(posts, "post", "posts"), images !== null && formatImageCount(images), bytes !== null && formatSize(bytes)]
    .filter(Boolean)
    .join(", ");
}
