const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Where a text begins, by its first letter, as dir="auto" has it in browsers: many mail programs do not know that. Null for a text without letters. */
export function textDirection(text: string): "ltr" | "rtl" | null {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first === undefined ? null : rightToLeft.test(first) ? "rtl" : "ltr";
}
