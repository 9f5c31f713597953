import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { domainSentence } from "./rules/domain-name.ts";

/**
 * What is known of a name of the workspace's own. dns: its records are not there yet; certificate: they are, and the first page has not come by
 * TLS yet; live: readers are led there; lost: it was live, and its records lead elsewhere (after `grace_until` the subdomain shows the page again).
 */
export const domainStates = ["dns", "certificate", "live", "lost"] as const;
export type DomainState = (typeof domainStates)[number];

/** A record to make where the name is kept. `found`: what stands there now, as far as it was asked for. */
export const dnsRecord = z.object({
  type: z.enum(["CNAME", "TXT"]),
  name: z.string(),
  value: z.string(),
  found: z.array(z.string()),
  ok: z.boolean(),
});
export type DnsRecord = z.infer<typeof dnsRecord>;

export const domain = z.object({
  /** In ASCII (an IDN as xn--…), small letters, without a dot at the end. */
  host: z.string(),
  /** As people write it. */
  shown: z.string(),
  state: z.enum(domainStates),
  records: z.array(dnsRecord),
  /** What keeps it from being live, as a sentence; null: nothing. E.g. a CAA record that lets our authority issue no certificate. */
  problem: z.string().nullable(),
  checked_at: time.nullable(),
  live_at: time.nullable(),
  grace_until: time.nullable(),
  created_at: time,
});
export type Domain = z.infer<typeof domain>;

/** So many names a workspace can have. */
export const domainsMax = 3;

/** What is wrong with a name is said by ./rules/domain-name.ts, which knows ours. */
export const newDomain = z.object({
  host: z.string({ error: domainSentence }).trim().min(1, { error: domainSentence }).max(2_048, { error: domainSentence }),
});

const params = z.object({ workspaceId: id });
const one = params.extend({ host: z.string() });
const manages = ["owner", "admin"] as const;

export const domainEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/domains",
    summary: "The workspace's own names, with the records they need and what is known of them",
    access: roles,
    params,
    status: 200,
    response: z.object({ domains: z.array(domain) }),
  }),
  add: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/domains",
    summary: "Give the public page a name of its own; the answer has the records to make (add-on custom-domain)",
    access: manages,
    params,
    body: newDomain,
    status: 201,
    response: z.object({ domain }),
    errors: ["forbidden", "add_on_required", "domain_taken"],
  }),
  check: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/domains/{host}/check",
    summary: "Look at the records and the certificate now",
    access: manages,
    params: one,
    status: 200,
    response: z.object({ domain }),
    errors: ["forbidden"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/domains/{host}",
    summary: "Give the name up; the subdomain shows the page again",
    access: manages,
    params: one,
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
