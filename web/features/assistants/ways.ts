export interface Way {
  way: "claude" | "claude-code" | "cursor" | "vs-code" | "chatgpt" | "other";
  label: string;
  /** What to do with the code. */
  text: string;
  code: string;
  note: string;
}

/** How the common assistants are connected with the server at `url`. Never run against the programs themselves: docs/assistants.md says so. */
export const waysToConnect = (url: string): Way[] => [
  {
    way: "claude",
    label: "Claude",
    text: "On the web or in the desktop app, open Settings, Connectors, “Add custom connector”, and paste this address:",
    code: url,
    note: "Then press Connect. Claude calls from its own servers, so this address has to be reachable on the internet.",
  },
  {
    way: "claude-code",
    label: "Claude Code",
    text: "In a terminal:",
    code: `claude mcp add --transport http tidings ${url}`,
    note: "Then start Claude Code, type /mcp, choose tidings and authenticate.",
  },
  {
    way: "cursor",
    label: "Cursor",
    text: "In .cursor/mcp.json of a project, or in ~/.cursor/mcp.json for all of them:",
    code: json({ mcpServers: { tidings: { url } } }),
    note: "Cursor then asks you to sign in. A version that cannot do that here takes a key: see Others.",
  },
  {
    way: "vs-code",
    label: "VS Code",
    text: "In .vscode/mcp.json of a project:",
    code: json({ servers: { tidings: { type: "http", url } } }),
    note: "Press Start above the entry; VS Code then asks you to sign in.",
  },
  {
    way: "chatgpt",
    label: "ChatGPT",
    text: "Open Settings, Connectors, Advanced, and switch on Developer mode. Then create a connector with OAuth and this address:",
    code: url,
    note: "ChatGPT calls from its own servers, so this address has to be reachable on the internet.",
  },
  {
    way: "other",
    label: "Others",
    text: "Most programs take JSON like this; an API key stands in for signing in:",
    code: json({ mcpServers: { tidings: { type: "http", url, headers: { Authorization: "Bearer tdk_…" } } } }),
    note: "Put a key in place of tdk_…: owners and administrators make them. Where the program can sign in by itself, leave “headers” out; then you are asked what it may do.",
  },
];

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
