/** Languages the editor offers and the public page highlights. A block can store any other name, which is shown as plain text. */
export const codeLanguages = {
  bash: "Bash",
  c: "C",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  diff: "Diff",
  dockerfile: "Dockerfile",
  go: "Go",
  graphql: "GraphQL",
  html: "HTML",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  kotlin: "Kotlin",
  php: "PHP",
  powershell: "PowerShell",
  python: "Python",
  ruby: "Ruby",
  rust: "Rust",
  sql: "SQL",
  swift: "Swift",
  toml: "TOML",
  typescript: "TypeScript",
  xml: "XML",
  yaml: "YAML",
} as const;
export type CodeLanguage = keyof typeof codeLanguages;

const otherNames: Readonly<Record<string, CodeLanguage>> = {
  js: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  tsx: "typescript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  yml: "yaml",
  jsonc: "json",
  kt: "kotlin",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  golang: "go",
  docker: "dockerfile",
  ps1: "powershell",
  pwsh: "powershell",
  htm: "html",
  svg: "xml",
  patch: "diff",
  gql: "graphql",
};

export const isCodeLanguage = (name: string): name is CodeLanguage => Object.hasOwn(codeLanguages, name);

export function codeLanguage(name: string): string {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(otherNames, lower) ? otherNames[lower]! : lower;
}
