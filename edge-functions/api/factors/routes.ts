import { factorEndpoints, securityEndpoints } from "#contract/factors.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { rows } from "../result.ts";
import { welcome } from "../accounts/welcome.ts";
import {
  addFactor,
  needsSecondFactor,
  readSecondFactor,
  readSecurity,
  removeFactor,
  requireCode,
  saveSecurity,
  setRecoveryCodes,
  verifyFactor,
} from "./queries.ts";

export function bindFactors({ signedIn }: Binder): void {
  signedIn(factorEndpoints.list, ({ db }) => readSecondFactor(db));

  signedIn(factorEndpoints.add, async ({ env, db, user, body }) => ({ factor: await addFactor(env, db, user, body.name) }));

  signedIn(factorEndpoints.verify, async ({ env, db, user, params, body }) => {
    await readSecondFactor(db); // refuses a session that hasn't given the code of another app
    return { recovery_codes: await verifyFactor(env, user, params.factorId, body.code) };
  });

  signedIn(factorEndpoints.remove, async ({ env, db, user, params, body }) => {
    const { factors } = await readSecondFactor(db);
    if (factors.find(({ id }) => id === params.factorId)?.is_confirmed) await requireCode(env, user, body.code);
    await removeFactor(env, user, params.factorId);
    return { success: true as const };
  });

  signedIn(factorEndpoints.renewRecoveryCodes, async ({ env, db, user, body }) => {
    await readSecondFactor(db);
    await requireCode(env, user, body.code);
    return { recovery_codes: await setRecoveryCodes(env, user, false) };
  });

  signedIn(factorEndpoints.signIn, async ({ env, db, headers, user, body }) => {
    if (!(await needsSecondFactor(db))) await readSecondFactor(db); // refuses an ended session
    await requireCode(env, user, body.code);
    const { workspaceId, user: signedInUser } = await welcome({ env, headers }, user);
    if (signedInUser === null) throw new AppError("unauthenticated"); // a concurrent change of the factors
    return { workspaceId, user: signedInUser };
  });

  signedIn(securityEndpoints.read, ({ db, params }) => readSecurity(db, params.workspaceId));

  signedIn(securityEndpoints.save, async ({ db, params, body }) => {
    await saveSecurity(db, params.workspaceId, body.require_second_factor);
    return await readSecurity(db, params.workspaceId);
  });

  signedIn(securityEndpoints.resetFactor, async ({ db, params, body }) => {
    await rows(db.rpc("request_factor_reset", { workspace_id: params.workspaceId, ...body }));
    return await readSecurity(db, params.workspaceId);
  });
}
