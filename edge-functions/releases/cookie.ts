/** Null without it. */
export function cookieOf(headers: Headers, name: string): string | null {
  const cookies = headers.get("cookie") ?? "";
  if (!cookies.includes(name)) return null;
  const found = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}
