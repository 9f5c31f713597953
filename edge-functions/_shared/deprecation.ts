import type { Endpoint } from "#contract/endpoint.ts";

/** Deprecation (RFC 9745), Sunset (RFC 8594) and a link to the replacement. */
export function deprecationHeaders({ deprecated }: Pick<Endpoint, "deprecated">): Record<string, string> {
  if (deprecated === undefined) return {};
  const { since, sunset, link } = deprecated;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}
