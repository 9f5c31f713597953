const shapes = {
  linear: /^https:\/\/linear\.app\/[^/\s]+\/issue\/[^\s/]\S*$/,
  jira: /^https:\/\/[a-z0-9-]+\.atlassian\.net\/browse\/[^\s/]\S*$/,
  github: /^https:\/\/github\.com\/[^/\s]+\/[^/\s]+\/(?:issues|pull)\/[^\s/]\S*$/,
} as const;

export type RequestKind = keyof typeof shapes;
export const requestKinds = Object.keys(shapes) as RequestKind[];

/** The tracker that a URL's issue or pull request is in; null: no known one. In SQL: private.are_requests. */
export const requestKind = (url: string): RequestKind | null => requestKinds.find((kind) => shapes[kind].test(url)) ?? null;

/** "acme/app#12" of GitHub, "ENG-12" elsewhere. */
export function requestLabel(url: string): string {
  const [owner, repository, , id = ""] = new URL(url).pathname.slice(1).split("/");
  if (requestKind(url) === "github") return `${owner}/${repository}#${id}`;
  return /\/(?:issue|browse)\/([^/?#]+)/.exec(url)?.[1] ?? url;
}
