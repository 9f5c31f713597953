import os from "node:os";

const rules: Record<string, RegExp> = {
  "a Supabase secret key": /sb_secret_[\w-]{8,}/,
  "a Supabase access token": /\bsbp_[0-9a-f]{20,}/,
  "a signed token": /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  "a private key": /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  "a database address with a password": /postgres(?:ql)?:\/\/[^\s:/"']+:[^\s@/"']+@/,
  "the role that no policy holds": /\bservice_role\b/,
  "an AWS key": /\bAKIA[0-9A-Z]{16}\b/,
  "a source map": /\/\/# sourceMappingURL=(?!data:)/,
};

export function secretsIn(text: string): string[] {
  const found = Object.entries(rules).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));
  return text.includes(`${os.homedir()}/`) && os.homedir() !== "/" ? [...found, "a path of this machine"] : found;
}
