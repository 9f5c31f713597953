import { importEndpoints } from "#contract/imports.ts";
import { managers } from "#contract/kinds.ts";
import { postEndpoints } from "#contract/posts.ts";
import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { Binder } from "../../_shared/handle.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { storeWorkspaceImage } from "../images/queries.ts";
import { requireRole } from "../workspaces/queries.ts";
import { SourceClient } from "./source-client.ts";
import { prepareEntries } from "./entries.ts";
import { ImageProblem, type KeptImage, Pictures } from "./images.ts";
import { beginImport, compareEntries, keepImage, keptImage, listImports, readImport, undoImport, writeEntries } from "./queries.ts";
import { sources } from "./sources/all.ts";

const failedCopy = (problem: string) => ({ url: null, problem });

/** Problems aren't cached, so the next call retries. */
async function copiedOrProblem(copy: () => Promise<KeptImage>) {
  try {
    return { ...(await copy()), problem: null };
  } catch (error) {
    if (error instanceof ImageProblem) return failedCopy(error.message);
    throw error;
  }
}

const writers = [...managers, "editor"] as const;

export function bindImports({ signedIn }: Binder, env: Env, network: Network): void {
  const pictures = new Pictures(network, env);
  const perPerson = new ConcurrencyLimit({ underWay: 1 });

  const copy = (db: Database, person: string, workspaceId: string, address: string): Promise<KeptImage> =>
    pictures.take(person, address, async (image) => {
      const url = await storeWorkspaceImage(db, "post-images", workspaceId, image);
      return { url, ...image.size };
    });

  signedIn(importEndpoints.list, ({ db, params }) => listImports(db, params.workspaceId));

  signedIn(importEndpoints.begin, ({ db, params, body, idempotencyKey }) => beginImport(db, params.workspaceId, body, idempotencyKey));

  signedIn(importEndpoints.read, ({ db, params }) => readImport(db, params.workspaceId, params.id));

  signedIn(importEndpoints.write, async ({ db, params, body }) => {
    await requireRole(db, params.workspaceId, managers);
    return await writeEntries(db, params.workspaceId, params.id, await prepareEntries(body.entries, params.workspaceId));
  });

  signedIn(importEndpoints.undo, ({ db, params }) => undoImport(db, params.workspaceId, params.id));

  signedIn(importEndpoints.compare, ({ db, params, body }) => compareEntries(db, params.workspaceId, body.entries));

  signedIn(importEndpoints.image, async ({ db, user, params: { workspaceId, id }, body: { url } }) => {
    await requireRole(db, workspaceId, managers);
    const before = await keptImage(db, workspaceId, id, url);
    if (before !== null) return "problem" in before ? failedCopy(before.problem) : { ...before, problem: null };
    return await copiedOrProblem(async () => keepImage(db, workspaceId, id, url, await copy(db, user.id, workspaceId, url)));
  });

  signedIn(postEndpoints.copyImage, async ({ db, user, params: { workspaceId }, body: { url } }) => {
    await requireRole(db, workspaceId, writers);
    return await copiedOrProblem(() => copy(db, user.id, workspaceId, url));
  });

  signedIn(importEndpoints.source, async ({ db, user, params: { workspaceId }, body: { source, ...query } }) => {
    await requireRole(db, workspaceId, managers);
    const { product, source: ask } = sources[source];
    return await perPerson.run(user.id, () => ask(new SourceClient(network, env, product), query));
  });
}
