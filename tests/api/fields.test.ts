import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { address } from "../../web/lib/api-client.ts";
import type { Answer } from "./support/client.ts";
import { everythingOf } from "./support/everything.ts";
import { newPerson, type Person, sql, type Team } from "./support/people.ts";
import { newPlace } from "./support/places.ts";
import { type NamedEndpoint, type Place, request, sampled, samples, withSession } from "./support/samples.ts";

let team: Team;
let place: Place;
let theirs: { place: Place };
let stranger: Person;

beforeAll(async () => {
  ({ team, place } = await newPlace());
  theirs = await newPlace();
  stranger = await newPerson("Sam Stranger");
});

interface JsonSchema {
  properties?: Record<string, unknown>;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

const fieldsOf = (schema: z.ZodType): string[] => {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return Object.keys((json.oneOf ?? json.anyOf)?.[0]?.properties ?? json.properties ?? {});
};

const wrong: Record<string, unknown> = {
  missing: undefined,
  null: null,
  "a number": -7.5,
  "a boolean": true,
  "a list": [[]],
  "an object": { toString: "x" },
  "an empty text": "",
  "a control character": "\u0000",
  "a text of 5,000 letters": "x".repeat(5_000),
};

const withBodies = sampled.filter(({ endpoint }) => endpoint.body !== undefined);

describe.each(withBodies)("$name", (call: NamedEndpoint) => {
  const schema = call.endpoint.body!;
  const client = () => (call.endpoint.access === "public" ? team.viewer.api : team.owner.api);

  test("refuses a wrong field with its name, and changes nothing", async () => {
    const before = await everythingOf(place.workspaceId);
    for (const field of fieldsOf(schema)) {
      const body = (value: unknown) => ({ ...samples[call.name]!(place).body, [field]: value });
      const refused = Object.values(wrong).find((value) => !schema.safeParse(JSON.parse(JSON.stringify(body(value)))).success);
      if (refused !== undefined) expectAtField(await request(client(), call, place, { body: body(refused) }), field);
    }
    expect(await everythingOf(place.workspaceId)).toBe(before);
  });
});

const asked = withSession.filter(({ endpoint }) => endpoint.query !== undefined && !endpoint.body);

describe.each(asked)("$name", (call: NamedEndpoint) => {
  const schema = call.endpoint.query!;

  test.each(fieldsOf(schema))("refuses a wrong %s in its URL at the field", async (field) => {
    const { params, query } = samples[call.name]!(place);
    for (const value of Object.values(wrong)) {
      if (typeof value === "object" || value === "\u0000") continue; // a URL has only strings; NUL is covered by the fuzz test
      const wanted = Object.fromEntries(
        Object.entries({ ...query, [field]: value }).flatMap(([name, one]) => (one === undefined ? [] : [[name, String(one)]])),
      );
      if (schema.safeParse(wanted).success) continue;
      const path = address(call.endpoint.path, params, wanted);
      expectAtField(await team.owner.api.send(call.endpoint.method, path), field);
    }
  });
});

function expectAtField({ status, body }: Answer, field: string): void {
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  const named = Object.keys(body.fields ?? {});
  expect(named.some((name) => name === field || name.startsWith(`${field}.`) || name === "body")).toBe(true);
}

describe.each(withSession.filter(({ endpoint }) => endpoint.method !== "GET" && !endpoint.multipart))("$name", (call) => {
  test("ignores unknown fields", async () => {
    const mine = await newPlace();
    const before = await everythingOf(theirs.place.workspaceId);
    const { body } = samples[call.name]!(mine.place);
    const answer = await request(mine.team.owner.api, call, mine.place, { body: { ...forged(theirs.place, stranger), ...body } });
    expect(answer.status).toBeLessThan(500);
    expect(await everythingOf(theirs.place.workspaceId)).toBe(before);
    expect(await sql`select 1 from public.members where user_id = ${stranger.id}`).toHaveLength(0);
    expect(
      await sql`
        select 1 from public.posts where created_by = ${stranger.id} or updated_by = ${stranger.id}
          or version > 9 and workspace_id in (${mine.place.workspaceId}, ${theirs.place.workspaceId})`,
    ).toHaveLength(0);
    expect(await sql`select 1 from public.members where workspace_id = ${mine.place.workspaceId} and role = 'owner'`).toHaveLength(
      call.name === "workspaces.remove" ? 0 : 1,
    );
    expect(await sql`select 1 from public.profiles where user_id = ${mine.team.owner.id} and avatar_url is not null`).toHaveLength(0);
  });
});

const forged = ({ workspaceId, postId }: Place, stranger: Person) => ({
  id: randomUUID(),
  post_id: postId,
  workspace_id: workspaceId,
  workspaceId,
  accountId: workspaceId,
  user_id: stranger.id,
  userId: stranger.id,
  created_by: stranger.id,
  updated_by: stranger.id,
  accepted_by: stranger.id,
  author_name: "Somebody else",
  avatar_url: "https://evil.example/x.png",
  published_at: "2020-01-01T00:00:00Z",
  public_changelog_enabled: true,
  service_role: true,
  __proto__: { role: "owner" },
  constructor: { prototype: { role: "owner" } },
});
