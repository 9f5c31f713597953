/** Whether `type` is what is asked for: by name, and not less gladly than JSON. */
export function prefers(headers: Headers, type: "text/markdown"): boolean {
  const wishes = (headers.get("accept") ?? "").split(",").map((wish) => {
    const [name = "", ...parameters] = wish.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    return { name, quality: Number.isFinite(quality) ? quality : 0 };
  });
  const wish = (name: string) => wishes.find((one) => one.name === name)?.quality ?? 0;
  return wish(type) > 0 && wish(type) >= wish("application/json");
}
