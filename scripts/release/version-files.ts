/** Files that name the version, each with the text around it; contract/version.ts is for code. */
export const versionFiles: Record<string, string[]> = {
  "package.json": ['"version": "{version}"'],
  "package-lock.json": ['"name": "tidings",\n  "version": "{version}"', '"name": "tidings",\n      "version": "{version}"'],
  "cli/package.json": ['"version": "{version}"'],
  "widget/package/package.json": ['"version": "{version}"'],
  "n8n/package.json": ['"version": "{version}"'],
  "contract/version.ts": ['version = "{version}"'],
  Dockerfile: ["ARG VERSION={version}"],
  "compose.yml": ["tidings:{version}"],
  "compose.supabase.yml": ["tidings-supabase:{version}"],
  ".env.example": ["tidings:{version}"],
  "deploy/root.Dockerfile": ["tidings:{version}"],
  "deploy/helm/Chart.yaml": ["\nversion: {version}", 'appVersion: "{version}"'],
  "deploy/helm/values.yaml": ["tidings:{version}"],
  "README.md": ["tidings:{version}"],
  "docs/install.md": ["tidings:{version}", "tidings-supabase:{version}"],
};

/** Text with the next version. Throws if a pattern is missing. */
export function withVersion(text: string, patterns: string[], current: string, next: string): string {
  return patterns.reduce((result, pattern) => {
    const [before, after] = [current, next].map((version) => pattern.replace("{version}", version)) as [string, string];
    if (!result.includes(before)) throw new Error(`The text has no ${JSON.stringify(before)}.`);
    return result.replaceAll(before, after);
  }, text);
}
