import { type Domain, domainEndpoints, type DnsRecord } from "#contract/domains.ts";
import { managers } from "#contract/kinds.ts";
import { readDomainName } from "#contract/rules/domain-name.ts";
import type { Database } from "../../_shared/clients.ts";
import type { DomainRow } from "../../_shared/domain-claims.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";
import type { DomainChecker } from "./checker.ts";
import { type DnsValues, proofName } from "./dns-checks.ts";

const columns =
  "host, shown, token, state, leads, found, problem, failing_since, checked_at, live_at, grace_until, created_at, workspace_id, id";

export function bindDomains({ signedIn }: Binder, env: Env, checker: DomainChecker): void {
  const ours = new URL(env.publicUrl).hostname;

  signedIn(domainEndpoints.list, async ({ db, params: { workspaceId } }) => {
    await requireRole(db, workspaceId);
    const [subdomain, ownDomain] = await Promise.all([
      subdomainOf(db, workspaceId),
      rows(db.from("domains").select(columns).eq("workspace_id", workspaceId).order("created_at").order("host")),
    ]);
    return { domains: ownDomain.map((row) => present(row as DomainRow, checker.targetOf(subdomain))) };
  });

  signedIn(domainEndpoints.add, async ({ db, params: { workspaceId }, body }) => {
    await requireRole(db, workspaceId, managers);
    const name = readDomainName(body.host, ours);
    if (typeof name === "string") throw new AppError("validation_failed", { fields: { host: name } });
    const row = await rows(db.rpc("add_domain", { workspace_id: workspaceId, ...name }));
    return { domain: present(row as DomainRow, checker.targetOf(await subdomainOf(db, workspaceId))) };
  });

  signedIn(domainEndpoints.check, async ({ db, params: { workspaceId, host } }) => {
    const before = await rows(db.rpc("look_at_domain", { workspace_id: workspaceId, host }));
    const subdomain = await subdomainOf(db, workspaceId);
    await checker.look(before as DomainRow, subdomain);
    const row = await rows(db.from("domains").select(columns).eq("workspace_id", workspaceId).eq("host", host).maybeSingle());
    if (row === null) throw new AppError("not_found");
    return { domain: present(row as DomainRow, checker.targetOf(subdomain)) };
  });

  signedIn(domainEndpoints.remove, async ({ db, params: { workspaceId, host } }) => {
    await rows(db.rpc("remove_domain", { workspace_id: workspaceId, host }));
    return { success: true as const };
  });
}

async function subdomainOf(db: Database, workspaceId: string): Promise<string> {
  return (await rows(db.from("workspaces").select("subdomain").eq("id", workspaceId).single())).subdomain;
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
