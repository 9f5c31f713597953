import { IDBFactory } from "fake-indexeddb";
import { vi } from "vitest";
import "fake-indexeddb/auto";

/**
 * The files of the client's tests share a process and its page, as making both for each costs as much as what is in it. Each begins as if it
 * were the first: with modules made anew, nobody's stubs, and a page to which nothing has happened. What tests leave in storage goes before
 * each of them (setup.ts).
 */
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
globalThis.indexedDB = new IDBFactory();

document.body.replaceChildren();
document.title = "";
for (const element of [document.documentElement, document.body]) {
  for (const name of element.getAttributeNames()) element.removeAttribute(name);
}
for (const cookie of document.cookie.split("; ")) document.cookie = `${cookie.split("=")[0]}=; path=/; max-age=0`;
