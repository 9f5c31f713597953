/** The languages that the editor offers and the public page colours, by the name that a block keeps. A block may keep any other: it is shown plain. */
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

/** What is often written for one of them. */
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

/** A language by the name that a block keeps, whatever somebody calls it; a name that nobody knows here stays. */
export function codeLanguage(name: string): string {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(otherNames, lower) ? otherNames[lower]! : lower;
}
