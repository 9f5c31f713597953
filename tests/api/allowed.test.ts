import { beforeAll, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { newThread, type Person, type Team } from "./support/people.ts";
import { newPlace } from "./support/places.ts";
import { type NamedEndpoint, type Place, request, withSession } from "./support/samples.ts";

/**
 * Allowed, but refused by state (see team.test.ts, keys.test.ts, domains.test.ts, backups.test.ts, single-sign-on.test.ts): the owner can't leave, keys are rotated by
 * their makers, domains, backups and single sign-on need an add-on and settings, and only one's own assistants, reviews and proposals can be ended.
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
  "security.resetFactor": ["owner"],
  "singleSignOn.save": ["owner"],
  "singleSignOn.remove": ["owner"],
  "singleSignOn.test": ["owner"],
  "singleSignOn.breakGlass": ["owner"],
  "singleSignOn.checkDomain": ["owner"],
  "singleSignOn.removeDomain": ["owner"],
  "backups.put": ["owner"],
  "backups.run": ["owner"],
  "backups.copies": ["owner"],
  "backups.restore": ["owner"],
};

const ownComment = new Set(["comments.edit", "comments.remove"]);
async function besideOwn(place: Place, person: Person): Promise<Place> {
  const { id, comments } = await newThread(person, place.postId);
  return { ...place, threadId: id, commentId: comments[0]!.id };
}

const roleFor = ({ endpoint, name }: NamedEndpoint): Role | undefined =>
  Array.isArray(endpoint.access) ? (endpoint.access as readonly Role[]).findLast((role) => !elsewhere[name]?.includes(role)) : undefined;

let forReading: { team: Team; place: Place };
beforeAll(async () => {
  forReading = await newPlace();
});

test.each(withSession.filter((call) => roleFor(call) !== undefined))("$name returns the contract's response", async (call) => {
  const { endpoint, name } = call;
  const { team, place } = endpoint.method === "GET" ? forReading : await newPlace();
  const person = team[roleFor(call)!];
  const answer = await request(person.api, call, ownComment.has(name) ? await besideOwn(place, person) : place);
  expect([answer.status, answer.body.code]).toEqual([endpoint.status, undefined]);
  const shown = endpoint.response.parse(answer.body);
  expect(answer.body).toEqual(shown);
});
