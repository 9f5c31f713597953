/** Whether there is anything to be seen in a text. */
export const isSeen = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text);
