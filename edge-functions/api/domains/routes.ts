import { type Domain, domainEndpoints, type DnsRecord } from "#contract/domains.ts";
import { managers } from "#contract/kinds.ts";
import { v1DomainEndpoints } from "#contract/v1/domains.ts";
import { readDomainName } from "#contract/rules/domain-name.ts";
import type { Database } from "../../_shared/clients.ts";
import type { DomainRow } from "../../_shared/domain-claims.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { readPlace } from "../public-place.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";
import type { DomainChecker } from "./checker.ts";
import { type DnsValues, proofName } from "./dns-checks.ts";

export function bindDomains({ signedIn, withKey }: Binder, env: Env, checker: DomainChecker): void {
  const ours = new URL(env.publicUrl).hostname;
  const targetOf = async (db: Database, workspaceId: string) => checker.targetOf((await readPlace(db, workspaceId)).subdomain);

  const list = async (db: Database, workspaceId: string) => {
    const [target, found] = await Promise.all([targetOf(db, workspaceId), rows(db.rpc("list_domains", { workspace_id: workspaceId }))]);
    return { domains: found.map((row) => present(row as DomainRow, target)) };
  };
  signedIn(domainEndpoints.list, ({ db, params: { workspaceId } }) => list(db, workspaceId));
  withKey(v1DomainEndpoints.list, ({ db, key }) => list(db, key.workspaceId));

  signedIn(domainEndpoints.add, async ({ db, params: { workspaceId }, body }) => {
    await requireRole(db, workspaceId, managers);
    const name = readDomainName(body.host, ours);
    if (typeof name === "string") throw new AppError("validation_failed", { fields: { host: name } });
    const row = await rows(db.rpc("add_domain", { workspace_id: workspaceId, ...name }));
    return { domain: present(row as DomainRow, await targetOf(db, workspaceId)) };
  });

  signedIn(domainEndpoints.check, async ({ db, params: { workspaceId, host } }) => {
    const before = await rows(db.rpc("look_at_domain", { workspace_id: workspaceId, host }));
    await checker.look(before as DomainRow, (await readPlace(db, workspaceId)).subdomain);
    const domain = (await list(db, workspaceId)).domains.find((one) => one.host === host);
    if (domain === undefined) throw new AppError("not_found");
    return { domain };
  });

  signedIn(domainEndpoints.remove, async ({ db, params: { workspaceId, host } }) => {
    await rows(db.rpc("remove_domain", { workspace_id: workspaceId, host }));
    return { success: true as const };
  });
}

const notLookedYet: DnsValues = { leads: false, texts: null, names: null, addresses: null };

function present(row: DomainRow, target: string): Domain {
  const { host, shown, token, state, problem, checked_at, live_at, grace_until, created_at } = row;
  const { leads, texts, names, addresses } = { ...notLookedYet, ...(row.found as Partial<DnsValues>) };
  const records: DnsRecord[] = [
    // Verification first: pointing an unverified domain here gives readers a certificate error.
    { type: "TXT", name: proofName(host), value: token, found: texts ?? [], ok: texts?.some((text) => text.trim() === token) ?? false },
    { type: "CNAME", name: host, value: target, found: [...(names ?? []), ...(addresses ?? [])], ok: leads },
  ];
  return { host, shown, state, records, problem, checked_at, live_at, grace_until, created_at };
}
