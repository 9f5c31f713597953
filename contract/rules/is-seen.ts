export const isSeen = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text);
