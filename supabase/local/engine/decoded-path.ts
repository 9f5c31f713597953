export const decodedPath = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
