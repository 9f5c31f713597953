import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { dateFormats } from "#contract/appearance-choices.ts";
import { type Locale, locales } from "#contract/locales.ts";
import { datesIn } from "./dates.ts";
import { wordsIn } from "./index.ts";

type Entry = string | ((...values: never[]) => unknown);
const entriesOf = (locale: Locale): [string, Entry][] =>
  Object.entries(wordsIn(locale)).flatMap(([section, words]) =>
    Object.entries(words).map(([key, entry]): [string, Entry] => [`${section}.${key}`, entry]),
  );
const keysOf = (locale: Locale): string[] => entriesOf(locale).map(([key]) => key);
const english = new Map(entriesOf("en"));
const others = locales.filter((locale) => locale !== "en");

const names = ["Alpha", "Omega"];
const write = (entry: Entry, values: readonly unknown[]): string => {
  if (typeof entry === "string") return entry;
  const written = (entry as (...values: unknown[]) => string | readonly string[])(...values);
  return typeof written === "string" ? written : written.join("");
};

function saysIn(entry: Entry, values: readonly unknown[]): string[] {
  const text = write(entry, values);
  return values.map(String).filter((value) => text.includes(value));
}

describe.each(others)("in %s", (locale) => {
  test("has every key of English and no other", () => {
    expect(keysOf(locale)).toEqual(keysOf("en"));
  });
  test("has no empty text, and functions exactly where English has them", () => {
    for (const [key, entry] of entriesOf(locale)) {
      expect([key, typeof entry]).toEqual([key, typeof english.get(key)]);
      expect([key, write(entry, names).trim() === ""]).toEqual([key, false]);
    }
  });
  test("uses the same arguments as English", () => {
    const pairs = [names, [37, "Omega"], ["Alpha", 37], [37, 43], ["Alpha", null]];
    for (const [key, entry] of entriesOf(locale)) {
      const said = english.get(key)!;
      if (typeof said === "string") continue;
      for (const values of pairs.map((pair) => pair.slice(0, Math.max(said.length, 1))))
        expect([key, saysIn(entry, values)]).toEqual([key, saysIn(said, values)]);
    }
  });
  test("leaves no longer text in English", () => {
    const same = entriesOf(locale).filter(([key, entry]) => write(entry, names) === write(english.get(key)!, names));
    expect(same.filter(([, entry]) => write(entry, names).length > 24)).toEqual([]);
  });
});

describe("numbers of things", () => {
  test.each([
    ["en", 1, "1 update"],
    ["en", 2, "2 updates"],
    ["en", 1_234, "1,234 updates"],
    ["de", 1, "1 Neuigkeit"],
    ["de", 1_234, "1.234 Neuigkeiten"],
    ["fr", 0, "0 nouveauté"],
    ["fr", 2, "2 nouveautés"],
    ["es", 2, "2 novedades"],
    ["pt", 2, "2 novidades"],
    ["ja", 2, "2件の更新"],
    ["ar", 0, "لا تحديثات"],
    ["ar", 1, "تحديث واحد"],
    ["ar", 2, "تحديثان"],
    ["ar", 3, "3 تحديثات"],
    ["ar", 11, "11 تحديثًا"],
    ["ar", 100, "100 تحديث"],
  ] as const)("%s: %i is '%s'", (locale, number, expected) => {
    expect(wordsIn(locale).page.updates(number)).toBe(expected);
  });
});

describe("dates", () => {
  const now = new Date("2026-03-20T12:00:00Z");
  const day = new Date("2026-03-03T23:59:00Z");
  test.each([
    ["en", "long", "March 3rd, 2026"],
    ["en", "medium", "3 Mar 2026"],
    ["en", "short", "03/03/2026"],
    ["de", "long", "3. März 2026"],
    ["fr", "long", "3 mars 2026"],
    ["es", "long", "3 de marzo de 2026"],
    ["pt", "long", "3 de março de 2026"],
    ["ja", "long", "2026年3月3日"],
    ["ar", "long", "3 مارس 2026"],
    ["ja", "iso", "2026-03-03"],
  ] as const)("%s, %s: %s", (locale, format, expected) => {
    expect(datesIn(locale, format).day(day)).toBe(expected);
    expect(datesIn(locale, format).label(day, now)).toBe(expected);
  });
  test.each([
    ["en", ["Today", "Yesterday", "2 days ago"]],
    ["de", ["Heute", "Gestern", "Vorgestern"]],
    ["fr", ["Aujourd’hui", "Hier", "Avant-hier"]],
    ["ja", ["今日", "昨日", "一昨日"]],
    ["ar", ["اليوم", "أمس", "أول أمس"]],
  ] as const)("%s has words for the last days", (locale, words) => {
    const dates = datesIn(locale, "long");
    expect([0, 1, 2].map((days) => dates.word(new Date(now.getTime() - days * 86_400_000), now))).toEqual(words);
    expect(dates.word(day, now)).toBeNull();
  });
  test.each(locales)("%s: a month and an exact time include the year", (locale) => {
    expect(datesIn(locale, "long").month("2026-03")).toContain("2026");
    expect(datesIn(locale, "long").exact(day)).toMatch(/2026.*(?:23|11).59.* UTC$/);
  });
  property.prop([
    fc.constantFrom(...locales),
    fc.constantFrom(...dateFormats),
    fc.date({ min: new Date("1970-01-02"), max: new Date("2100-01-01"), noInvalidDate: true }),
  ])("in every language and form a day is written with digits that are read everywhere", (locale, format, at) => {
    expect(datesIn(locale, format).day(at)).toMatch(/\d/);
  });
});
