import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { domainSentence } from "./rules/domain-name.ts";

/**
 * dns: records missing; certificate: records found, no page over TLS yet; live: readers are redirected; lost: was live, records changed
 * (after `grace_until` the subdomain serves the page again).
 */
export const domainStates = ["dns", "certificate", "live", "lost"] as const;
export type DomainState = (typeof domainStates)[number];

/** `found`: current values, as far as they were looked up. */
export const dnsRecord = z.object({
  type: z.enum(["CNAME", "TXT"]),
  name: z.string(),
  value: z.string(),
  found: z.array(z.string()),
  ok: z.boolean(),
});
export type DnsRecord = z.infer<typeof dnsRecord>;

export const domain = z.object({
  host: z.string(),
  shown: z.string(),
  state: z.enum(domainStates),
  records: z.array(dnsRecord),
  /** Error message; null: none. E.g. a CAA record that excludes our certificate authority. */
  problem: z.string().nullable(),
  checked_at: time.nullable(),
  live_at: time.nullable(),
  grace_until: time.nullable(),
  created_at: time,
});
export type Domain = z.infer<typeof domain>;

export const domainsMax = 3;

/** Validated by ./rules/domain-name.ts, which needs our own domain. */
export const newDomain = z.object({
  host: z.string({ error: domainSentence }).trim().min(1, { error: domainSentence }).max(2_048, { error: domainSentence }),
});

const params = z.object({ workspaceId: id });
const one = params.extend({ host: z.string() });

export const domainEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/domains", {
    summary: "List a workspace's custom domains with their DNS records and status",
    access: roles,
    response: z.object({ domains: z.array(domain) }),
  }),
  add: endpoint("POST /api/workspaces/{workspaceId}/domains", {
    summary: "Add a custom domain; the response has the DNS records to create (add-on custom-domain)",
    access: managers,
    body: newDomain,
    status: 201,
    response: z.object({ domain }),
    errors: ["add_on_required", "domain_taken"],
  }),
  check: endpoint("POST /api/workspaces/{workspaceId}/domains/{host}/check", {
    summary: "Check the DNS records and the certificate now",
    access: managers,
    params: one,
    response: z.object({ domain }),
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}/domains/{host}", {
    summary: "Remove a custom domain; the subdomain serves the page again",
    access: managers,
    params: one,
    response: success,
  }),
} as const;
