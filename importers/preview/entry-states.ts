import type { z } from "zod";
import type { PreparedPost } from "../entry.ts";
import type { importEndpoints } from "#contract/imports.ts";

type ComparedEntry = z.infer<(typeof importEndpoints)["compare"]["response"]>["entries"][number];

interface Named {
  external_id: string;
  fingerprint: string;
}

/** States in order. Apparently changed posts are compared again by their former fingerprint. */
export async function entryStates(
  posts: readonly PreparedPost[],
  ask: (entries: Named[]) => Promise<readonly ComparedEntry[]>,
): Promise<ComparedEntry[]> {
  const states = [...(await ask(posts.map(({ post: { external_id, fingerprint } }) => ({ external_id, fingerprint }))))];
  const candidates = posts.flatMap(({ post: { external_id }, formerFingerprint: fingerprint }, place) => {
    const state = states[place]?.state;
    return fingerprint !== undefined && (state === "there" || state === "both") ? [{ place, external_id, fingerprint }] : [];
  });
  if (candidates.length === 0) return states;
  const former = await ask(candidates.map(({ external_id, fingerprint }) => ({ external_id, fingerprint })));
  for (const [at, { place }] of candidates.entries()) states[place] = former[at] ?? states[place]!;
  return states;
}
