import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const save = ({ as, acme }: World, person: Person, settings: unknown) =>
  as(person, (me) => me`select public.save_widget_settings(${acme}, ${settings as never}) as settings`);

describe("widget settings", () => {
  const all = {
    appearance: { theme: "system" },
    positioning: { position: "top-right" },
    behaviour: { autoOpenNewPosts: false, animation: "slide", delay: 3000 },
    customisation: { widgetSize: "lg", cornerRadius: 999, fontFamily: "inter" },
    contentSettings: { maxPosts: 20, showPostAuthor: false, showImages: true },
  };

  test("accept every group and field of the specification", async ({ world }) =>
    expect((await save(world, "owner", all))[0]!.settings).toEqual(all));

  test("keep other groups and fields in a partial save", async ({ world }) => {
    await save(world, "owner", all);
    const [row] = await save(world, "admin", { behaviour: { delay: 0 }, appearance: { theme: null } });
    expect(row!.settings).toEqual({ ...all, behaviour: { ...all.behaviour, delay: 0 }, appearance: { theme: null } });
  });

  testEach([
    [],
    "x",
    null,
    { colours: {} },
    { appearance: "dark" },
    { appearance: { theme: "blue" } },
    { appearance: { theme: "dark", extra: 1 } },
    { positioning: { position: "middle" } },
    { behaviour: { delay: 1 } },
    { behaviour: { autoOpenNewPosts: "yes" } },
    { customisation: { cornerRadius: "6" } },
    { contentSettings: { maxPosts: 0 } },
    { contentSettings: { maxPosts: 21 } },
    { contentSettings: { maxPosts: 2.5 } },
    { contentSettings: { maxPosts: "5" } },
  ])("%j is refused", async (world, settings) => {
    expect(await outcome(save(world, "owner", settings))).toBe("validation_failed");
    expect(
      await outcome(
        world.as(
          "owner",
          (me) => me`insert into public.widget_settings (workspace_id, settings) values (${world.acme}, ${settings as never})`,
        ),
      ),
    ).toMatch(/23514|23502/);
  });
});
