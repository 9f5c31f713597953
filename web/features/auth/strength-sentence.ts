import { passwordStrength, type PasswordStrength } from "#contract/rules/password-strength.ts";

const sentences: Record<PasswordStrength, string> = {
  short: "Too short",
  weak: "Weak. It's easy to guess.",
  fair: "Fair. A longer one is safer.",
  strong: "Strong",
};

/** null before anything is typed. */
export const strengthSentence = (password: string, email?: string): string | null =>
  password === "" ? null : sentences[passwordStrength(password, email)];
