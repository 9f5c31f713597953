const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Direction of the first letter, like dir="auto", which many email clients don't support. null without letters. */
export function textDirection(text: string): "ltr" | "rtl" | null {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first === undefined ? null : rightToLeft.test(first) ? "rtl" : "ltr";
}
