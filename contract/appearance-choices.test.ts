import { fc, test as property } from "../tests/support/properties.ts";
import { expect, test } from "vitest";
import { appearanceChoices } from "./appearance.ts";
import { appearanceOf, dateFormats, defaultAppearance, fonts, layouts, themes } from "./appearance-choices.ts";
import { locales } from "./locales.ts";

const choices = fc.record({
  accent: fc.option(fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)),
  theme: fc.constantFrom(...themes),
  layout: fc.constantFrom(...layouts),
  font: fc.constantFrom(...fonts),
  date_format: fc.constantFrom(...dateFormats),
  links: fc.array(fc.record({ label: fc.constantFrom("Docs", "文書"), url: fc.constantFrom("https://a.example/", "mailto:a@a.example") }), {
    maxLength: 6,
  }),
  footer: fc.constantFrom("", "© Acme"),
  branding: fc.boolean(),
  locale: fc.constantFrom(...locales),
});

property.prop([choices])("whatever the API takes is shown", (chosen) => {
  const taken = appearanceChoices.parse(chosen);
  expect(appearanceOf(JSON.parse(JSON.stringify(taken)))).toEqual(taken);
});

test.each([
  ["accent", "red;background:url(//x)"],
  ["accent", ["#0b6b62"]],
  ["accent", "#0B6B62\n"],
  ["theme", "sepia"],
  ["layout", null],
  ["font", "comic"],
  ["date_format", ""],
  ["links", [{ label: "x", url: "javascript:alert(1)" }]],
  ["links", [null]],
  ["links", "none"],
  ["footer", 7],
  ["branding", "yes"],
  ["locale", "tlh"],
  ["constructor", {}],
])("%s: %j is ignored on its own", (name, value) => {
  expect(appearanceOf({ [name]: value, footer: name === "footer" ? value : "©" })).toEqual({
    ...defaultAppearance,
    ...(name !== "footer" && { footer: "©" }),
  });
});

test("nothing stored gives the defaults", () => {
  for (const stored of [null, undefined, {}]) expect(appearanceOf(stored)).toEqual(defaultAppearance);
});
