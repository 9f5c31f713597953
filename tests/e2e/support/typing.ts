import { expect, type Page } from "./test.ts";
import { bodyOf } from "./writing.ts";

export interface Typed {
  text: string;
  times: number[];
}

const words = "Teams write here all day and nothing they write may ever get lost, whatever happens to the machine. ";

export async function typeAWhile(page: Page, count = 40): Promise<Typed> {
  const before = await bodyOf(page).innerText();
  await bodyOf(page).click();
  await page.keyboard.press("End");
  const typed = { text: before, times: Array<number>(before.length).fill(0) };
  for (let index = 0; index < count; index++) {
    const character = words[index % words.length]!;
    await page.keyboard.type(character, { delay: 40 });
    typed.text += character;
    typed.times.push(Date.now());
  }
  return typed;
}

export function count(row: string, typed: Typed, recovered: string, at: number, sentence: string): void {
  const there = commonStart(typed.text, recovered.replaceAll("\u00a0", " "));
  const owed = typed.times.filter((time) => time <= at - 1_000).length;
  const last = typed.text.length - owed;
  console.log(
    `never lose a word · ${row}: typed ${typed.text.length}, recovered ${there} (${last} in the last second) · the person sees: ${sentence}`,
  );
  expect(there, `${row}: characters recovered`).toBeGreaterThanOrEqual(owed);
  expect(there, `${row}: something was typed before`).toBeGreaterThan(typed.times.filter((time) => time === 0).length);
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
