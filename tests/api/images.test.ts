import http from "node:http";
import { text as textOf } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { avatarMaxBytes, imageMaxBytes } from "#contract/limits.ts";
import { bareExif } from "../support/picture-files.ts";
import { animationOf, imagesOf, notPictures, pictures, pngOf, talkative } from "./support/images.ts";
import { newTeam, type Team } from "./support/people.ts";

const { url } = inject("stack");
let team: Team;
let places: Record<string, string>;
beforeAll(async () => {
  team = await newTeam();
  places = {
    post: `/api/workspaces/${team.workspaceId}/editor/image-upload`,
    logo: `/api/workspaces/${team.workspaceId}/logo`,
    "dark logo": `/api/workspaces/${team.workspaceId}/appearance/logo-dark`,
    favicon: `/api/workspaces/${team.workspaceId}/appearance/favicon`,
    avatar: "/api/profiles/me/avatar",
  };
});

const upload = (place: string, bytes: Uint8Array, name?: string, type?: string, field?: string) =>
  team.owner.api.upload<{ file?: { url: string }; url?: string; logo_url?: string; avatar_url?: string }>(
    places[place]!,
    bytes,
    name,
    type,
    field,
  );

test.each([
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
] as const)("a %s is stored and served as its real type, whatever it claims", async (kind, type) => {
  const answer = await upload("post", pictures[kind], "../../evil.svg", "image/svg+xml");
  expect(answer).toMatchObject({ status: 201, body: { success: 1, file: { width: 1, height: 1 } } });
  const path = answer.body.file!.url;
  expect(path).toMatch(
    new RegExp(`^/storage/v1/object/public/post-images/${team.workspaceId}/[0-9a-f-]{36}\\.${kind === "jpeg" ? "jpg" : kind}$`),
  );
  const file = await fetch(url + path);
  expect(file.headers.get("content-type")).toBe(type);
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(pictures[kind]);
});

describe.each(["post", "logo", "dark logo", "favicon", "avatar"])("the %s image", (place) => {
  test.each(Object.entries(talkative))("is stored without the location, camera and author in a %s", async (kind, bytes) => {
    const { status, body } = await upload(place, bytes);
    expect(status).toBe(201);
    const file = await fetch(url + (body.file?.url ?? body.url ?? body.logo_url ?? body.avatar_url!));
    const stored = Buffer.from(await file.arrayBuffer());
    expect(stored.includes("SECRET")).toBe(false);
    expect(stored.includes(Buffer.from(bareExif(6)))).toBe(kind === "jpeg");
  });

  test.each([
    ...Object.entries(imagesOf(60_000, 60_000)),
    ...Object.entries(imagesOf(20_001, 1)),
    ...Object.entries(imagesOf(10_000, 5_001)),
  ])("can't be a %s with more pixels than a browser should draw", async (_, bytes) => {
    const sentence = "Image must be at most 20,000 pixels wide and high, and 50 million pixels in all";
    expect(await upload(place, bytes)).toMatchObject({ status: 422, body: { code: "validation_failed", fields: { image: sentence } } });
  });

  test("can't be an animation with more pixels than a browser should draw", async () => {
    expect((await upload(place, animationOf(40, 10_000, 5_000))).status).toBe(201);
    const sentence = "Animation must be shorter or smaller: its frames have more than 2,000 million pixels in total";
    expect(await upload(place, animationOf(41, 10_000, 5_000))).toMatchObject({ status: 422, body: { fields: { image: sentence } } });
  });

  test.each(Object.entries(notPictures))("can't be %s", async (_, bytes) => {
    const answer = await upload(place, bytes);
    expect(answer).toMatchObject({
      status: 415,
      body: { code: "file_not_image", error: "Please select an image file", fields: { image: "Please select an image file" } },
    });
  });

  test("is required in the field 'image'", async () => {
    const expected = { status: 422, body: { code: "validation_failed", fields: { image: "Please select an image file" } } };
    expect(await upload(place, new Uint8Array())).toMatchObject(expected);
    expect(await upload(place, pictures.png, "a.png", "image/png", "file")).toMatchObject(expected);
    const text = new FormData();
    text.set("image", "not a file");
    expect(await team.owner.api.post(places[place]!, text)).toMatchObject(expected);
    expect(
      await team.owner.api.post(places[place]!, "garbage", { headers: { "content-type": "multipart/form-data; boundary=x" } }),
    ).toMatchObject(expected);
  });

  test("must be multipart", async () => {
    expect((await team.owner.api.post(places[place]!, pictures.png, { headers: { "content-type": "image/png" } })).status).toBe(415);
  });

  test("has a size limit", async () => {
    const max = place === "avatar" ? avatarMaxBytes : imageMaxBytes;
    const sentence = place === "avatar" ? "Avatar file size must be less than 2MB" : "File size must be less than 5MB";
    expect((await upload(place, pngOf(max))).status).toBe(201);
    expect(await upload(place, pngOf(max + 1))).toMatchObject({
      status: 413,
      body: { code: "body_too_large", fields: { image: sentence } },
    });
    expect(await upload(place, pngOf(imageMaxBytes + 100_000))).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });
});

test("a file that isn't an image is refused by its first bytes, before the rest arrives", async () => {
  const headers = {
    authorization: `Bearer ${team.owner.token}`,
    "content-type": "multipart/form-data; boundary=b",
    "content-length": 5_000_000,
  };
  const request = http.request(url + places["post"]!, { method: "POST", headers });
  request.write('--b\r\ncontent-disposition: form-data; name="image"; filename="x.png"\r\n\r\n');
  request.write(Buffer.alloc(200_000, "words of a long text "));
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    request.on("error", reject).on("response", (answer) => void textOf(answer).then((body) => resolve([answer.statusCode, body]), reject));
  });
  request.destroy();
  expect([status, JSON.parse(body)]).toMatchObject([415, { code: "file_not_image" }]);
});
