import { describe, expect, test } from "vitest";
import { defaultAppearance } from "#contract/appearance-choices.ts";
import { asLink, changesOf, errorsOf, groupErrors, newLink, readChoices, toFormValues, widgetTheme } from "./values.ts";

const look = {
  ...defaultAppearance,
  ...{ accent: "#0b6b62", links: [{ label: "Docs", url: "https://docs.example/" }] },
  ...{ logo_url: null, logo_dark_url: null, favicon_url: null },
};
const values = toFormValues(look);

describe("changesOf", () => {
  test("returns nothing without changes", () => expect(changesOf(toFormValues(look), values)).toEqual({}));

  test("returns only changes, with null for the default colour", () => {
    expect(changesOf({ ...values, accent: " " }, values)).toEqual({ accent: null });
    expect(changesOf({ ...values, footer: undefined as never, theme: "dark" }, values)).toEqual({ theme: "dark" });
    expect(changesOf({ ...values, links: [{ ...values.links[0]!, label: "Help" }] }, values)).toEqual({
      links: [{ label: "Help", url: "https://docs.example/" }],
    });
    expect(changesOf({ ...values, links: [] }, values)).toEqual({ links: [] });
  });

  test("completes URLs before their field is blurred", () => {
    const links = [{ ...values.links[0]!, url: "docs.acme.example" }];
    expect(changesOf({ ...values, links }, values)).toEqual({ links: [{ label: "Docs", url: "https://docs.acme.example" }] });
    expect(errorsOf({ ...values, links })).toEqual({});
    expect(readChoices({ ...values, links })?.links).toEqual([{ label: "Docs", url: "https://docs.acme.example/" }]);
    expect(changesOf({ ...values, links: [{ ...values.links[0]!, url: " docs.example/" }] }, values)).toEqual({});
  });

  test("readChoices returns null for invalid values", () => {
    expect(readChoices(values)).toEqual({ ...defaultAppearance, accent: "#0b6b62", links: look.links });
    for (const wrong of [{ accent: "red;background:url(//x)" }, { links: [newLink()] }])
      expect(readChoices({ ...values, ...wrong })).toBeNull();
  });
});

test("errorsOf maps errors to fields and link rows", () => {
  const links = [...values.links, { ...newLink(), label: "x", url: "javascript:alert(1)" }, newLink()];
  const address = "Please enter a URL that starts with https://, http:// or mailto:";
  expect(errorsOf({ ...values, accent: "blue", links })).toEqual({
    accent: "Please enter a colour as #rrggbb, e.g. #0b6b62",
    links: { "1.url": address, "2.label": "Please enter a link label", "2.url": address },
  });
  expect(errorsOf({ ...values, links: Array.from({ length: 7 }, () => values.links[0]!) })).toEqual({
    links: "Please use at most 6 links",
  });
  expect(groupErrors([["links.0.url", address]])).toEqual({ links: { "0.url": address } });
});

test.each([
  ["docs.acme.example", "https://docs.acme.example"],
  ["help@acme.example", "mailto:help@acme.example"],
  [" https://x.example/a b ", "https://x.example/a b"],
  ["mailto:x@y.example", "mailto:x@y.example"],
  ["javascript:alert(1)", "javascript:alert(1)"],
  ["", ""],
])("asLink(%j) returns %j", (typed, meant) => expect(asLink(typed)).toBe(meant));

test.each([
  ["light", "dark", "light"],
  ["dark", "light", "dark"],
  ["system", "dark", "dark"],
  ["system", "light", "light"],
] as const)("a widget whose theme is %s is, on a %s system, %s", (chosen, side, expected) => {
  expect(widgetTheme(chosen, side)).toBe(expected);
});
