import { decodeJwt } from "jose";
import type { Sql } from "postgres";
import type { SupabaseServices } from "../supabase-services.ts";

export function noteBrowsers(lite: SupabaseServices, sql: Sql): SupabaseServices {
  return {
    ...lite,
    fetch: async (request, peerAddress) => {
      const browser = request.headers.get("user-agent");
      const answer = await lite.fetch(request, peerAddress);
      const session = browser && answer.ok && givesSession(request) ? await sessionIn(answer) : null;
      if (session) await sql`update auth.sessions set user_agent = ${browser} where id = ${session}`;
      return answer;
    },
  };
}

const givesSession = ({ method, url }: Request): boolean =>
  method === "POST" && ["/auth/v1/token", "/auth/v1/verify", "/auth/v1/signup"].includes(new URL(url).pathname);

async function sessionIn(answer: Response): Promise<string | null> {
  const { access_token: token } = (await answer.clone().json()) as { access_token?: string };
  const id = token && decodeJwt(token).session_id;
  return typeof id === "string" ? id : null;
}
