import type { z } from "zod";
import { atSteadyTime } from "#contract/rules/steady-time.ts";
import { readDomainName } from "#contract/rules/domain-name.ts";
import { safeReturnPath } from "#contract/rules/safe-return-path.ts";
import { type JoinRole, type openIdInput, type samlInput, singleSignOnEndpoints as endpoints } from "#contract/single-sign-on.ts";
import { authFor, type Database } from "../../_shared/clients.ts";
import { fromAuth } from "../../_shared/backend-errors.ts";
import type { SessionCookies } from "../../_shared/cookies.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { log } from "../../_shared/log.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { Seal } from "../../_shared/seal.ts";
import { welcome } from "../accounts/welcome.ts";
import { hashOfRecoveryCode, newRecoveryCode } from "../factors/codes.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";
import { samlIdentity, samlUrl, saveSamlProvider } from "./saml.ts";
import { keepAttempt, keepSignOutUrl, sessionOf, takeAttempt } from "./sign-on-cookies.ts";
import { authorizationUrl, exchange, type Identity, SignOnError } from "./openid.ts";
import {
  type EmailDomainChecker,
  findProvider,
  type Provider,
  readSingleSignOn,
  recordSession,
  recordTest,
  signInByProvider,
  spendState,
} from "./queries.ts";

const stepMs = 400;

export function bindSingleSignOn({ open, signedIn }: Binder, env: Env, network: Network, checker: EmailDomainChecker): void {
  const ours = new URL(env.publicUrl).hostname;

  const begin = async (
    cookies: SessionCookies,
    provider: Provider,
    { email = null, next = null, tester = null }: Partial<Record<"email" | "next" | "tester", string | null>>,
  ) => {
    const { clientId, redirectUri } = provider.client;
    const { url, attempt } = await (provider.kind === "saml"
      ? samlUrl(env, clientId, redirectUri)
      : authorizationUrl(provider.client, email));
    await keepAttempt(env, cookies, { ...attempt, workspace: provider.workspaceId, issuer: provider.client.issuer, next, tester });
    return { url };
  };

  open(endpoints.begin, async ({ cookies, body: { email, next } }) => {
    const provider = await atSteadyTime(stepMs, () => findProvider(env, network, { email }));
    if (provider === null) throw new AppError("single_sign_on_unavailable");
    return await begin(cookies, provider, { email, next: safeReturnPath(next, env.publicUrl) }).catch(refuse);
  });

  open(endpoints.finish, async ({ cookies, headers, body }) => {
    const query = new URLSearchParams(body.query);
    const state = query.get("state") ?? "";
    const pending = await takeAttempt(env, cookies, state);
    if (pending === null || !(await spendState(env, state))) throw new AppError("single_sign_on_failed");
    const { workspace, tester, next } = pending;
    const provider = await findProvider(env, network, { workspace, for_test: tester !== null });
    if (provider?.client.issuer !== pending.issuer) throw new AppError("single_sign_on_unavailable");
    const proving = (
      provider.kind === "saml" ? samlIdentity(env, provider.client.clientId, pending, query) : exchange(provider.client, pending, query)
    ).then(ofDomain(provider));
    if (tester !== null) {
      const problem = await proving.then(() => null, whyTestFailed);
      if (problem === null && !(await recordTest(env, provider, tester))) throw new AppError("single_sign_on_unavailable");
      return { workspaceId: workspace, user: null, next: null, test: { problem } };
    }
    const identity = await proving.catch(refuse);
    const token_hash = await signInByProvider(env, provider, identity);
    const { data, error } = await authFor(env, cookies, headers).verifyOtp({ type: "magiclink", token_hash });
    if (error) throw fromAuth(error);
    if (data.session === null) throw new AppError("single_sign_on_failed");
    const { access_token: token, user } = data.session;
    await recordSession(env, provider, user.id, sessionOf(token));
    await keepSignOutUrl(env, cookies, token, identity.signOutUrls);
    return { ...(await welcome({ env, headers }, { id: user.id, email: user.email ?? "", token })), next };
  });

  signedIn(endpoints.read, ({ db, params }) => readSingleSignOn(env, db, params.workspaceId));

  const openIdConnection = async (workspaceId: string, { issuer, client_id, client_secret }: z.output<typeof openIdInput>) => {
    if (!isIssuer(issuer, env.signOnToPrivate))
      throw new AppError("validation_failed", { fields: { issuer: "Enter a URL that starts with https://" } });
    const secret = client_secret === undefined ? null : await new Seal(env, "identity").close(workspaceId, client_secret);
    return { issuer, client_id, secret: secret as string };
  };

  const samlConnection = async (db: Database, workspaceId: string, { metadata }: z.output<typeof samlInput>) => {
    const { provider: present } = await readSingleSignOn(env, db, workspaceId);
    const { issuer, client_id } = present?.kind === "saml" ? present : { issuer: null, client_id: null };
    const addOns = await rows(db.from("workspace_add_ons").select("add_on").eq("workspace_id", workspaceId).eq("add_on", "sso"));
    if (addOns.length === 0) throw new AppError("add_on_required");
    if (metadata !== undefined) return { ...(await saveSamlProvider(env, network, metadata, client_id)), secret: "" };
    if (issuer === null) throw new AppError("validation_failed", { fields: { metadata: "Enter the metadata's URL or XML" } });
    return { issuer, client_id, secret: "" };
  };

  signedIn(endpoints.save, async ({ db, params: { workspaceId }, body }) => {
    await requireRole(db, workspaceId, ["owner"]);
    const connection = await (body.kind === "saml" ? samlConnection(db, workspaceId, body) : openIdConnection(workspaceId, body));
    const { kind, is_on, is_required } = body;
    const code = newRecoveryCode();
    const isShown = await rows<boolean>(
      db.rpc("save_identity_provider", {
        ...{ workspace_id: workspaceId, kind, ...connection, is_on, is_required },
        join_as: body.join_as as JoinRole,
        break_glass_hash: await hashOfRecoveryCode(code),
      }),
    );
    return { ...(await readSingleSignOn(env, db, workspaceId)), break_glass_code: isShown ? code : null };
  });

  signedIn(endpoints.remove, async ({ db, params: { workspaceId } }) => {
    await rows(db.rpc("remove_identity_provider", { workspace_id: workspaceId }));
    return { success: true as const };
  });

  signedIn(endpoints.test, async ({ db, cookies, user, params: { workspaceId: workspace } }) => {
    await requireRole(db, workspace, ["owner"]);
    const provider = await findProvider(env, network, { workspace, for_test: true });
    if (provider === null) throw new AppError("not_found");
    return await begin(cookies, provider, { tester: user.id }).catch((error: unknown) => {
      throw new AppError("single_sign_on_failed", { sentence: whyTestFailed(error) });
    });
  });

  signedIn(endpoints.breakGlass, async ({ db, params: { workspaceId }, body }) => {
    const hash = await hashOfRecoveryCode(body.code);
    if (!(await rows<boolean>(db.rpc("use_break_glass_code", { workspace_id: workspaceId, hash }))))
      throw new AppError("validation_failed", { fields: { code: "This code isn't valid" } });
    return { success: true as const };
  });

  signedIn(endpoints.addDomain, async ({ db, params: { workspaceId }, body }) => {
    await requireRole(db, workspaceId, ["owner"]);
    const name = readDomainName(body.domain, ours);
    if (typeof name === "string") throw new AppError("validation_failed", { fields: { domain: name } });
    await rows(db.rpc("add_email_domain", { workspace_id: workspaceId, domain: name.host }));
    return await readSingleSignOn(env, db, workspaceId);
  });

  signedIn(endpoints.checkDomain, async ({ db, params: { workspaceId, domain } }) => {
    await checker.check(await rows(db.rpc("email_domain_of", { workspace_id: workspaceId, domain })));
    return await readSingleSignOn(env, db, workspaceId);
  });

  signedIn(endpoints.removeDomain, async ({ db, params: { workspaceId, domain } }) => {
    await rows(db.rpc("remove_email_domain", { workspace_id: workspaceId, domain }));
    return { success: true as const };
  });

  signedIn(endpoints.saveJoining, async ({ db, params: { workspaceId }, body }) => {
    await rows(db.rpc("set_join_by_domain", { workspace_id: workspaceId, ...body }));
    return await readSingleSignOn(env, db, workspaceId);
  });
}

const ofDomain =
  ({ domains }: Provider) =>
  (identity: Identity): Identity => {
    if (domains.includes(identity.email.toLowerCase().split("@").at(-1)!)) return identity;
    throw new SignOnError("The address's domain isn't one of your verified email domains");
  };

const isIssuer = (text: string, toPrivate: boolean): boolean =>
  URL.canParse(text) &&
  (/^https:$/.test(new URL(text).protocol) || (toPrivate && new URL(text).protocol === "http:")) &&
  !/[?#]/.test(text);

/** Strangers aren't told the reason. */
function refuse(error: unknown): never {
  log({ event: "warning", message: `single sign-on failed: ${whyTestFailed(error)}` });
  throw new AppError("single_sign_on_failed");
}

function whyTestFailed(error: unknown): string {
  if (error instanceof SignOnError) return error.message;
  throw error;
}
