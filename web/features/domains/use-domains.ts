import { domainEndpoints, type Domain } from "#contract/domains.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** How often the state of a name is asked for while it is on its way. */
const waitingMs = 20_000;
const isOnItsWay = ({ state }: Domain): boolean => state === "dns" || state === "certificate";

/** A workspace's own names, and what can be done about them. What writes throws an ApiError. Null: nothing is asked. */
export function useDomains(workspaceId: string | null) {
  const { data, error, mutate } = useCall(domainEndpoints.list, workspaceId === null ? null : { params: { workspaceId } }, {
    refreshInterval: (latest) => (latest?.domains.some(isOnItsWay) ? waitingMs : 0),
  });
  const params = { workspaceId: workspaceId ?? "" };
  const put = (domain: Domain) =>
    mutate((known) => known && { domains: known.domains.map((one) => (one.host === domain.host ? domain : one)) }, { revalidate: false });
  return {
    domains: data?.domains,
    error,
    reload: () => mutate(),
    add: async (host: string): Promise<Domain> => {
      const { domain } = await call(domainEndpoints.add, { params, body: { host } });
      await mutate();
      return domain;
    },
    check: async (host: string): Promise<Domain> => {
      const { domain } = await call(domainEndpoints.check, { params: { ...params, host } });
      await put(domain);
      return domain;
    },
    remove: async (host: string): Promise<void> => {
      await call(domainEndpoints.remove, { params: { ...params, host } });
      await mutate();
    },
  };
}
