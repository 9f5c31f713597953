import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";

const patienceMs = 5_000;

/**
 * Whether a workspace's page is read at a name that is not below ours; the releases function knows. While it is down nobody is known. It is asked
 * each time: behind the front door, which names us by our address, nobody comes here by such a name.
 */
export async function isOwnName(name: string, port: number | null | undefined): Promise<boolean> {
  if (!port) return false;
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${hostQuestion}`, {
      headers: { "x-forwarded-host": name },
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.body?.cancel();
    return answer.headers.get(hostAnswer.header) === hostAnswer.known;
  } catch {
    return false;
  }
}
