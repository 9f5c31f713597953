import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { newThread, type Person, type Team } from "./support/people.ts";
import { newPlace } from "./support/places.ts";
import { type NamedEndpoint, type Place, request, withSession } from "./support/samples.ts";

/** Every call of the contract, made by everybody who may: it succeeds, and the answer is what the contract says. */
/**
 * Allowed to ask, but answered by the state of things (tests/api/team.test.ts, keys.test.ts, domains.test.ts, backups.test.ts): the owner cannot
 * leave, a key is rotated by its maker, names and copies need an add-on, and a bucket; others end their own assistants; what was asked or proposed is taken back by who did.
 */
const elsewhere: Record<string, Role[]> = {
  "team.leave": ["owner"],
  "apiKeys.rotate": ["admin"],
  "assistants.end": ["editor", "viewer"],
  "reviews.withdraw": ["owner", "admin"],
  "reviews.changeProposal": ["owner", "admin"],
  "reviews.withdrawProposal": ["owner", "admin"],
  "domains.add": ["owner", "admin"],
  "domains.check": ["owner", "admin"],
  "domains.remove": ["owner", "admin"],
  "backups.put": ["owner"],
  "backups.run": ["owner"],
  "backups.copies": ["owner"],
  "backups.restore": ["owner"],
};

/** What everybody may do to one's own comment alone. */
const ownComment = new Set(["comments.edit", "comments.remove"]);
async function besideOwn(place: Place, person: Person): Promise<Place> {
  const { id, comments } = await newThread(person, place.postId);
  return { ...place, threadId: id, commentId: comments[0]!.id };
}

const rolesOf = ({ endpoint, name }: NamedEndpoint): Role[] =>
  Array.isArray(endpoint.access) ? (endpoint.access as readonly Role[]).filter((role) => !elsewhere[name]?.includes(role)) : [];

describe.each(withSession.filter((call) => rolesOf(call).length > 0))("$name", (call: NamedEndpoint) => {
  const { endpoint } = call;
  const roles = rolesOf(call);

  test.each(roles)("is there for the %s", async (role) => {
    const { team, place } = await placeFor(call);
    const answer = await request(team[role].api, call, ownComment.has(call.name) ? await besideOwn(place, team[role]) : place);
    expect([answer.status, answer.body.code]).toEqual([endpoint.status, undefined]);
    const shown = endpoint.response.parse(answer.body);
    expect(answer.body).toEqual(shown); // and nothing beside it
  });
});

/** What is done once in a place: it is gone or decided then. */
const once = new Set([
  ...["previewLinks.revoke", "tags.change", "tags.merge", "tags.remove", "templates.remove", "subscribers.remove", "webhooks.remove"],
  ...["reports.remove", "reviews.decide", "reviews.decideProposal"],
]);
type Shared = { team: Team; place: Place };
let forReading: Shared;
const forCall = new Map<string, Promise<Shared>>();
beforeAll(async () => {
  forReading = await newPlace();
});

/** Who may do a thing does it in the same place, one role after the other, where it can be done again. */
function placeFor({ name, endpoint }: NamedEndpoint): Promise<Shared> {
  if (endpoint.method === "GET") return Promise.resolve(forReading);
  if (once.has(name)) return newPlace();
  const made = forCall.get(name) ?? newPlace();
  forCall.set(name, made);
  return made;
}
