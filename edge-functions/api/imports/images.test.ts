import { expect, test } from "vitest";
import type { Env } from "../../_shared/env.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { Pictures } from "./images.ts";

const env = { publicUrl: "https://tidings.example", supabaseUrl: "http://127.0.0.1:9", importsToPrivate: false } as Env;

test("four images per person are fetched at once; other people don't wait", async () => {
  const asked: string[] = [];
  const hanging: Network = {
    resolve: (name) => (asked.push(name), new Promise(() => {})),
    connect: () => Promise.reject(new Error("isn't connected")),
    secure: () => Promise.reject(new Error("isn't connected")),
  };
  const pictures = new Pictures(hanging, env);
  const take = (person: string, host: string) =>
    pictures
      .take(person, `https://${host}.example/x.png`, () => Promise.resolve())
      .then(
        () => null,
        () => null,
      );
  for (const number of [1, 2, 3, 4, 5, 6]) void take("ada", `a${number}`);
  void take("bob", "b1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([...new Set(asked)].sort()).toEqual(["a1.example", "a2.example", "a3.example", "a4.example", "b1.example"]);
});

test.each([
  "https://tidings.example/storage/v1/object/private/post-images/a.png",
  "https://tidings.example/storage/v1/object/public/backups/a.png",
  "https://tidings.example/storage/v1/object/public/post-images/../../../../rest/v1/posts.png",
  "https://tidings.example/storage/v1/object/public/post-images/%2e%2e/a.png",
  "https://tidings.example/storage/v1/object/public/post-images/a.svg",
  "https://tidings.example/api/openapi.json",
  "https://tidings.example.evil.example/storage/v1/object/public/post-images/a.png",
  "http://tidings.example:81/storage/v1/object/public/post-images/a.png",
])("%s isn't read from our Storage", async (address) => {
  const nobody: Network = {
    resolve: () => Promise.resolve([]),
    connect: () => Promise.reject(new Error("no")),
    secure: () => Promise.reject(new Error("no")),
  };
  await expect(new Pictures(nobody, env).take("ada", address, () => Promise.resolve())).rejects.toThrow(
    /Domain not found|Only (?:URLs|ports)/,
  );
});

test.each(["https://tidings.example", "https://acme.tidings.example"])(
  "an image at %s is read from our Storage, without DNS",
  async (origin) => {
    const asked: string[] = [];
    const dns = { resolve: (name: string) => (asked.push(name), Promise.resolve([])) } as unknown as Network;
    const address = `${origin}/storage/v1/object/public/post-images/a/b.png`;
    await expect(new Pictures(dns, env).take("ada", address, () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
    expect(asked).toEqual([]);
  },
);
