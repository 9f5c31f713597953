/**
 * The releases function confirms that a host serves a workspace's page: Caddy asks before issuing a certificate, the embedded gateway
 * before accepting a foreign host. The answer is a header, because a proxy could return a 404 too.
 */
export const hostQuestion = "/releases/host.json";
export const hostAnswer = { header: "x-host", known: "known", unknown: "unknown" } as const;
