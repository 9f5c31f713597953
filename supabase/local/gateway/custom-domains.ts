import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";

const timeoutMs = 5_000;

/** True if a host name is a workspace's custom domain. Not cached: behind the front door such requests don't come here. */
export async function isOwnName(name: string, port: number | null | undefined): Promise<boolean> {
  if (!port) return false;
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${hostQuestion}`, {
      headers: { "x-forwarded-host": name },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.headers.get(hostAnswer.header) === hostAnswer.known;
  } catch {
    return false;
  }
}
