interface Operation {
  tags?: string[];
  responses?: Record<string, { description: string }>;
}
type Methods = Record<string, Operation>;
export interface Description {
  tags?: { name: string }[];
  paths: Record<string, Methods>;
  webhooks?: Record<string, Methods>;
  [part: string]: unknown;
}

/** Keeps the public API (/api/v1) and webhooks. Error responses share one shape, described in the introduction, so only their codes stay. */
export function publicApiOnly(description: Description): Description {
  const paths: Description["paths"] = {};
  for (const [path, methods] of Object.entries(description.paths)) {
    if (!path.startsWith("/api/v1/")) continue;
    paths[path] = Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, withShortErrors(operation)]));
  }
  const operations = [...Object.values(paths), ...Object.values(description.webhooks ?? {})].flatMap((methods) => Object.values(methods));
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  return { ...description, paths, tags: description.tags?.filter(({ name }) => used.has(name)) };
}

function withShortErrors(operation: Operation): Operation {
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => [
    status,
    Number(status) < 400 ? response : { description: response.description },
  ]);
  return { ...operation, responses: Object.fromEntries(responses) as Operation["responses"] };
}
