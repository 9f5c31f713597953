import type { SupabaseClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import type { SecondFactor, WorkspaceSecurity } from "#contract/factors.ts";
import { type Database, serviceClient } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { Seal } from "../../_shared/seal.ts";
import type { Identity } from "../../_shared/tokens.ts";
import { rows } from "../result.ts";
import { hashOfRecoveryCode, isTotp, newRecoveryCodes, newSecret, stepOf, uriOf } from "./codes.ts";

/* Codes are checked and counted with the service role: a person alone can neither read a secret nor claim that a code matched. */
const service: (env: Env) => SupabaseClient = serviceClient;

const wrongCode = () =>
  new AppError("validation_failed", { fields: { code: "This code isn't valid. Codes work once and change every 30 seconds." } });

const sessionOf = ({ token }: Identity): string => String(decodeJwt(token).session_id);

export const readSecondFactor = (db: Database): Promise<SecondFactor> => rows(db.rpc("my_second_factor")) as Promise<SecondFactor>;

export const needsSecondFactor = (db: Database): Promise<boolean> => rows(db.rpc("needs_second_factor"));

export async function addFactor(env: Env, db: Database, { email }: Identity, name: string) {
  const id = crypto.randomUUID();
  const secret = newSecret();
  await rows(db.rpc("add_factor", { id, name, secret: await new Seal(env, "factors").close(id, secret) }));
  return { id, secret, uri: uriOf(secret, email) };
}

/** Confirms the factor. The codes are empty if the person has some already. */
export async function verifyFactor(env: Env, person: Identity, factor: string, code: string): Promise<string[]> {
  if (!(await acceptCode(env, person, code, factor))) throw wrongCode();
  return await setRecoveryCodes(env, person, true);
}

/** A code of any confirmed app, or a recovery code. Throws validation_failed for a wrong or used one. */
export async function requireCode(env: Env, person: Identity, code: string): Promise<void> {
  const isAccepted = isTotp(code) ? await acceptCode(env, person, code) : await spendRecoveryCode(env, person, code);
  if (!isAccepted) throw wrongCode();
}

export async function setRecoveryCodes(env: Env, { id }: Identity, unlessAny: boolean): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map(hashOfRecoveryCode));
  const isSet = await rows<boolean>(service(env).rpc("set_recovery_codes", { person: id, hashes, unless_any: unlessAny }));
  return isSet ? codes : [];
}

export async function removeFactor(env: Env, { id }: Identity, factor: string): Promise<void> {
  if (!(await rows<boolean>(service(env).rpc("remove_factor", { person: id, factor })))) throw new AppError("not_found");
}

async function acceptCode(env: Env, person: Identity, code: string, only: string | null = null): Promise<boolean> {
  const who = { person: person.id, session: sessionOf(person) };
  const factors = await rows<{ id: string; secret: string }[]>(service(env).rpc("factor_secrets", { ...who, factor: only }));
  if (only !== null && factors.length === 0) throw new AppError("not_found");
  const seal = new Seal(env, "factors");
  for (const { id: factor, secret: sealed } of factors) {
    const secret = await seal.open(factor, sealed);
    const step = secret === null ? null : stepOf(secret, code, Date.now());
    if (step !== null) return await rows<boolean>(service(env).rpc("accept_factor_code", { ...who, factor, step }));
  }
  return false;
}

async function spendRecoveryCode(env: Env, person: Identity, code: string): Promise<boolean> {
  return await rows<boolean>(
    service(env).rpc("spend_recovery_code", {
      person: person.id,
      session: sessionOf(person),
      hash: await hashOfRecoveryCode(code),
    }),
  );
}

export const readSecurity = (db: Database, workspaceId: string): Promise<WorkspaceSecurity> =>
  rows(db.rpc("read_workspace_security", { workspace_id: workspaceId })) as Promise<WorkspaceSecurity>;

export async function saveSecurity(db: Database, workspaceId: string, required: boolean): Promise<void> {
  await rows(db.rpc("set_workspace_security", { workspace_id: workspaceId, require_second_factor: required }));
}
