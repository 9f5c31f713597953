import { Api } from "./api.js";
import { exitCodes, Failure } from "./errors.js";
import { print } from "./output.js";
import { originOf } from "./settings.js";

/** Changes of a public page after a version. No key is sent. */
export async function whatsNew(rest, values, io) {
  const address = values.url ?? io.env.TIDINGS_URL;
  if (rest.length > 0) throw new Failure(`Too many arguments: ${rest.join(" ")}`, exitCodes.usage);
  if (values.since === undefined) throw new Failure("Since which version? Use --since 1.12.0", exitCodes.usage);
  if (!address) throw new Failure("No URL. Use --url https://acme.tidings.example, the address of the page", exitCodes.usage);
  const api = new Api({ url: originOf(address) }, io.wait && { wait: io.wait });
  const query = { since: values.since, limit: "50", ...(values.component !== undefined && { component: values.component }) };
  const answer = await pageOf(api, query, 1);
  const releases = [...answer.releases];
  for (let page = 2; page <= answer.pagination.pages; page++) releases.push(...(await pageOf(api, query, page)).releases);
  const lines = releases.map(({ version, title, breaking, security, url }) =>
    [version, breaking ? "[breaking]" : "", security ? "[security]" : "", title, url].filter((part) => part !== "").join("  "),
  );
  const text = releases.length === 0 ? `Nothing is newer than ${values.since}.` : [answer.changes.text, ...lines].join("\n");
  print(io, values, { changes: answer.changes, releases }, text);
}

async function pageOf(api, query, page) {
  try {
    return await api.get(`/releases.json?${new URLSearchParams({ ...query, page: String(page) })}`);
  } catch (error) {
    if (!(error instanceof Failure) || error.details.code !== "not_found") throw error;
    throw new Failure(`${query.since} isn't a version such as 1.12.0, or ${api.origin} has no public page`, exitCodes.usage);
  }
}
