import { passwordMinLength } from "../limits.ts";

export type PasswordStrength = "short" | "weak" | "fair" | "strong";

const differentCharacters = 5;
const strongLength = 14;
const shortestName = 4;
const guessedFirst = /^(?:pass|qwert|asdf|letmein|welcome|admin|iloveyou|abc|123)|^\d+$/i;

/** A rough estimate by length and obvious patterns, while typing. The server also refuses common passwords. */
export function passwordStrength(password: string, email = ""): PasswordStrength {
  const characters = [...password];
  if (characters.length < passwordMinLength) return "short";
  const name = email.split("@")[0]!.toLowerCase();
  const hasName = name.length >= shortestName && password.toLowerCase().includes(name);
  if (hasName || new Set(characters).size < differentCharacters || (characters.length < strongLength && guessedFirst.test(password)))
    return "weak";
  return characters.length < strongLength ? "fair" : "strong";
}
