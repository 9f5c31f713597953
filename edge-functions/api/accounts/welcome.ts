import { Database } from "../../_shared/clients.ts";
import { sealNetwork } from "../../_shared/network-seal.ts";
import type { Identity } from "../../_shared/tokens.ts";
import { needsSecondFactor } from "../factors/queries.ts";
import { presentUser } from "../profiles/presenter.ts";
import { findProfile } from "../profiles/queries.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { noteSignIn, type Visitor } from "./queries.ts";

type Person = Pick<Identity, "id" | "email" | "token">;

/** Also writes the sign-in to the audit log. null: the session has no rights before a second factor. */
export async function startSession({ env, headers }: Visitor, { id, token }: Person): Promise<Database | null> {
  const db = new Database(env, token, { network: await sealNetwork(env, headers, id) });
  if (await needsSecondFactor(db)) return null;
  await noteSignIn(db);
  return db;
}

export async function welcome(visitor: Visitor, person: Person) {
  const db = await startSession(visitor, person);
  if (db === null) return { workspaceId: null, user: null, second_factor: true as const };
  const [profile, workspaces] = await Promise.all([findProfile(db, person.id), listWorkspaces(db)]);
  return { workspaceId: workspaces[0]?.id ?? null, user: presentUser(profile, person.email) };
}
