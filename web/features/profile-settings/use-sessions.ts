import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** Where the person is signed in; ending a session reads the list again. Both throw ApiError. */
export function useSessions() {
  const { data, error, mutate } = useCall(profileEndpoints.sessions, {});
  return {
    sessions: data?.sessions,
    error,
    reload: () => void mutate(),
    async end(sessionId: string): Promise<void> {
      await call(profileEndpoints.endSession, { params: { sessionId } });
      await mutate();
    },
    async endOthers(): Promise<void> {
      await call(profileEndpoints.endOtherSessions);
      await mutate();
    },
  };
}
