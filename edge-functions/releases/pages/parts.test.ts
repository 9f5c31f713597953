import { h } from "preact";
import { expect, test } from "vitest";
import { EnvelopeDrawing, PageDrawing, SignpostDrawing } from "./parts.tsx";
import { renderPage } from "./render.tsx";

test.each([EnvelopeDrawing, PageDrawing, SignpostDrawing])("%o has attributes that HTML knows", (drawing) => {
  const [, attributes = ""] = /<svg ([^>]*)>/.exec(renderPage(h(drawing, {})))!;
  expect(attributes.match(/[\w-]+(?==)/g)).toEqual([
    "viewBox",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "aria-hidden",
  ]);
});
