export function bearerToken(headers: Headers): string | null {
  return /^bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}
