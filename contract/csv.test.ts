import { fc } from "../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { csvLine, decodeCsv, fromCell, parseCsv, toCell } from "./csv.ts";

const cellsOf = (text: string) => [...parseCsv(text)].map(({ cells }) => cells);

describe("a CSV file", () => {
  test.each([
    ["commas", "a,b\n1,2"],
    ["semicolons", "a;b\n1;2"],
    ["tabs", "a\tb\n1\t2"],
    ["CRLF", "a,b\r\n1,2\r\n"],
    ["CR alone", "a,b\r1,2\r"],
    ["a mark at the beginning", "\uFEFFa,b\n1,2"],
    ["quotes around everything", '"a","b"\n"1","2"\n'],
    ["Excel's own first line", "sep=;\r\na;b\r\n1;2"],
    ["empty lines", "\n\na,b\n\n,\n1,2\n\n"],
    ["a quote that holds more separators than the line", '"a",b\n1,2'],
  ])("with %s is read", (_, text) => {
    expect(cellsOf(text)).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  test("holds separators, quotes and lines in quotes, and reports the line each record starts on", () => {
    expect([...parseCsv('name,email\r\n"Lovelace, ""Ada""\r\nCountess",ada@acme.example\r\nx,y')]).toEqual([
      { line: 1, cells: ["name", "email"] },
      { line: 2, cells: ['Lovelace, "Ada"\r\nCountess', "ada@acme.example"] },
      { line: 4, cells: ["x", "y"] },
    ]);
  });

  test("reports where an unclosed quote starts", () => {
    expect([...parseCsv('a,b\n1,"2\n3,4')]).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ["1", "2\n3,4"], open: true },
    ]);
  });

  test("reads any text to its end", () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'a",;\t\r\n=\uFEFF') }), (text) => void [...parseCsv(text)]));
  });

  test("round-trips any cell", () => {
    const cell = fc.string({ unit: fc.constantFrom(...`ab",;'=+-@\t\r\n＝ `) });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        fc.pre(cells.some((one) => toCell(one).trim() !== ""));
        const [, read] = [...parseCsv(`first,second,third\r\n${csvLine(cells)}`)];
        expect(read!.cells.map(fromCell)).toEqual(cells);
      }),
    );
  });
});

describe("a cell that a spreadsheet would read as a formula", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "=cmd|' /C calc'!A0", "+plus@acme.example"])(
    "%j is escaped and round-trips",
    (text) => {
      expect(toCell(text)).toBe(`'${text}`);
      expect(fromCell(toCell(text))).toBe(text);
    },
  );

  test.each(["", "ada@acme.example", "o'brien@acme.example", "'quoted'@acme.example", "a=b@acme.example"])("%j stays as it is", (text) => {
    expect([toCell(text), fromCell(text)]).toEqual([text, text]);
  });
});

test("decodeCsv reads each encoding of spreadsheets", () => {
  const text = "email,näme\n";
  const utf16 = (littleEndian: boolean) => {
    const bytes = new DataView(new ArrayBuffer(2 + text.length * 2));
    [0xfeff, ...[...text].map((sign) => sign.charCodeAt(0))].forEach((unit, at) => bytes.setUint16(at * 2, unit, littleEndian));
    return new Uint8Array(bytes.buffer);
  };
  for (const bytes of [new TextEncoder().encode(text), utf16(true), utf16(false), Uint8Array.from(text, (sign) => sign.charCodeAt(0))]) {
    expect(decodeCsv(bytes)).toBe(text);
  }
});
