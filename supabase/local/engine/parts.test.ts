import { expect, test, vi } from "vitest";
import { type Part, Parts } from "./parts.ts";

function noted(...parts: Part[]) {
  const notes: string[] = [];
  const list = parts.map((part): Part => {
    const note =
      <Arguments extends unknown[], Answer>(word: string, does?: (...given: Arguments) => Answer) =>
      (...given: Arguments) => {
        notes.push(`${word} ${part.name}`);
        return does?.(...given) as Answer;
      };
    return {
      ...part,
      open: note("open", part.open),
      start: note("start", part.start),
      ...(part.startAlongside && { startAlongside: note("alongside", part.startAlongside) }),
      stop: note("stop", part.stop),
    };
  });
  return { parts: new Parts(list), notes };
}

test("parts open, then start in order, and stop in reverse", async () => {
  const { parts, notes } = noted({ name: "database" }, { name: "gateway" });
  await parts.start();
  await parts.stop();
  expect(notes).toEqual(["open database", "open gateway", "start database", "start gateway", "stop gateway", "stop database"]);
});

test("a part starts after the previous one works; parallel ones are awaited at the end", async () => {
  const functions = Promise.withResolvers<void>();
  const { parts, notes } = noted({ name: "functions", startAlongside: () => functions.promise }, { name: "database" });
  let started = false;
  const start = parts.start().then(() => (started = true));
  await vi.waitFor(() => expect(notes).toContain("start database"), { timeout: 10_000 });
  expect(notes.indexOf("alongside functions")).toBeLessThan(notes.indexOf("start database"));
  expect(started).toBe(false);
  functions.resolve();
  expect(await start).toBe(true);
});

test("a taken port fails the start before any part starts", async () => {
  const taken = () => {
    throw new Error("port in use");
  };
  const { parts, notes } = noted({ name: "database" }, { name: "gateway", open: taken });
  await expect(parts.start()).rejects.toThrow("port in use");
  expect(notes.filter((note) => note.startsWith("start"))).toEqual([]);
});

test("a part's error fails the start, and all parts are stopped", async () => {
  const broken = () => Promise.reject(new Error("no space"));
  const { parts, notes } = noted({ name: "database" }, { name: "services", start: broken }, { name: "realtime" });
  await expect(parts.start()).rejects.toThrow("no space");
  await parts.stop();
  expect(notes.slice(3)).toEqual(["start database", "start services", "stop realtime", "stop services", "stop database"]);
});

test("a stop during the start starts nothing more", async () => {
  const database = Promise.withResolvers<void>();
  const { parts, notes } = noted({ name: "database", start: () => database.promise }, { name: "services" });
  const start = parts.start();
  await parts.stop();
  database.resolve();
  await expect(start).rejects.toThrow("stopped during its start");
  expect(notes).not.toContain("start services");
});

test("a part that fails to stop doesn't block the others", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { parts, notes } = noted({ name: "database" }, { name: "services", stop: () => Promise.reject(new Error("stuck")) });
  await parts.stop();
  expect(notes).toEqual(["stop services", "stop database"]);
  expect(said).toHaveBeenCalledOnce();
  said.mockRestore();
});

test("health and gauges include all parts", async () => {
  const parts = new Parts([
    { name: "database", health: (answers) => ({ postgres: answers }) },
    null,
    { name: "functions", health: () => ({ api: true }), gauges: () => [{ name: "function_up", help: "", value: 1 }] },
  ]);
  expect(parts.health(false)).toEqual({ postgres: false, api: true });
  expect(await parts.gauges()).toEqual([{ name: "function_up", help: "", value: 1 }]);
});
