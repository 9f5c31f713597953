import bcrypt, { compareSync } from "bcryptjs";
import { expect, test, vi } from "vitest";
import { PasswordHashing } from "./password-hashing.ts";

test("PasswordHashing hashes and compares like bcryptjs, concurrently", async () => {
  const passwords = new PasswordHashing();
  const hashes = await Promise.all(["one", "two", "three"].map((word) => passwords.hash(word, 4)));
  expect(["one", "two", "three"].map((word, index) => compareSync(word, hashes[index]!))).toEqual([true, true, true]);
  expect(await Promise.all(["one", "another"].map((word) => passwords.compare(word, hashes[0]!)))).toEqual([true, false]);
});

test("an invalid hash fails only its own request", async () => {
  const passwords = new PasswordHashing();
  const hash = await passwords.hash("word", 4);
  const results = await Promise.allSettled([passwords.compare("word", "$2b$10$".padEnd(60, "!")), passwords.compare("word", hash)]);
  expect(results[1]).toEqual({ status: "fulfilled", value: true });
});

test("replaceBcrypt makes bcryptjs hash in the worker", async () => {
  const passwords = new PasswordHashing();
  const [hash, compare] = [vi.spyOn(passwords, "hash"), vi.spyOn(passwords, "compare")];
  const library: Pick<typeof bcrypt, "hash" | "compare"> = bcrypt;
  const before = { ...library };
  passwords.replaceBcrypt();
  expect(await library.compare("word", await library.hash("word", 4))).toBe(true);
  expect([hash.mock.calls, compare.mock.calls.length]).toEqual([[["word", 4]], 1]);
  Object.assign(library, before);
});

test("admit accepts fifty requests, and one more when one finishes", async () => {
  const passwords = new PasswordHashing();
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const admitted = Array.from({ length: 50 }, () => passwords.admit(() => held.then(() => "done")));
  expect(await passwords.admit(() => Promise.resolve("done"))).toBeNull();
  release();
  expect(await Promise.all(admitted)).toEqual(Array(50).fill("done"));
  expect(await passwords.admit(() => Promise.resolve("done"))).toBe("done");
  await expect(passwords.admit(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await passwords.admit(() => Promise.resolve("done"))).toBe("done");
});
