import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { newInvite, newKey, newSubscriber, newPost, newTeam, type Team, newWebhook } from "./support/people.ts";
import { type NamedEndpoint, type Place, request, withSession } from "./support/samples.ts";

/** Every call of the contract, made by everybody who may: it succeeds, and the answer is what the contract says. */
async function newPlace(): Promise<{ team: Team; place: Place }> {
  const team = await newTeam();
  const { id: postId } = await newPost(team.editor, team.workspaceId, { tags: ["sample"] });
  const { id: inviteId, token } = await newInvite(team.owner, team.workspaceId);
  return {
    team,
    place: {
      workspaceId: team.workspaceId,
      postId,
      memberId: team.editor.id,
      inviteId,
      subscriberId: await newSubscriber(team.workspaceId),
      keyId: (await newKey(team.owner, team.workspaceId)).key.id,
      ...(await newWebhook(team.workspaceId)),
      token,
    },
  };
}

/** Allowed to ask, but answered by the state of things (tests/api/team.test.ts, keys.test.ts): the owner cannot leave, a key is rotated by its maker. */
const elsewhere: Record<string, Role[]> = { "team.leave": ["owner"], "apiKeys.rotate": ["admin"] };

const perRole = withSession.filter(({ endpoint }) => Array.isArray(endpoint.access));

describe.each(perRole)("$name", (call: NamedEndpoint) => {
  const { endpoint, name } = call;
  const roles = (endpoint.access as readonly Role[]).filter((role) => !elsewhere[name]?.includes(role));

  test.each(roles)("is there for the %s", async (role) => {
    const { team, place } = endpoint.method === "GET" ? shared : await newPlace();
    const answer = await request(team[role].api, call, place);
    expect([answer.status, answer.body.code]).toEqual([endpoint.status, undefined]);
    const shown = endpoint.response.parse(answer.body);
    expect(answer.body).toEqual(shown); // and nothing beside it
  });
});

let shared: { team: Team; place: Place };
beforeAll(async () => {
  shared = await newPlace();
});
