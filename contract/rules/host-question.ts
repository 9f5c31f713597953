/**
 * Where the releases function says whether a workspace's page is read at the host that was asked for. The front door asks before it lets a
 * certificate be made, the embedded gateway before it lets a name in that is not below ours. The answer stands in a header of its own: a 404 alone
 * may come from anybody between.
 */
export const hostQuestion = "/releases/host.json";
export const hostAnswer = { header: "x-host", known: "known", unknown: "unknown" } as const;
