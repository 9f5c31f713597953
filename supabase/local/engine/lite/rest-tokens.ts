/** What lite's server (Hono) hands to a middleware, as far as this one needs it. */
interface Context {
  req: { path: string; method: string; header(name: string): string | undefined };
  set(name: "userId" | "sessionId", value: string): void;
}

const token = /^Bearer (?!sb_)[^\s.]+\.[^\s.]+\.[^\s.]+$/;
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * A middleware of lite. Before each request it checks the token and looks its user and session up, and throws away for REST what it has found: REST
 * checks the token itself, as PostgREST does, and whose session has ended is decided where rights are. It leaves that out for whom it knows, and of a
 * person's token REST says afterwards who that is, or refuses the request.
 */
export async function leaveTokensToRest(context: Context, next: () => Promise<void>): Promise<void> {
  const { path, method } = context.req;
  if (path.startsWith("/rest/v1/") && method !== "OPTIONS" && token.test(context.req.header("authorization") ?? "")) {
    context.set("userId", nobody);
    context.set("sessionId", nobody);
  }
  await next();
}
