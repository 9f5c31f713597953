export interface Way {
  way: "claude" | "claude-code" | "cursor" | "vs-code" | "chatgpt" | "other";
  label: string;
  text: string;
  code: string;
  note: string;
}

/** Setup by assistant, never tested with the apps themselves (docs/assistants.md). */
export const waysToConnect = (url: string): Way[] => [
  {
    way: "claude",
    label: "Claude",
    text: "On the web or in the desktop app, open Settings, Connectors, “Add custom connector”, and paste this URL:",
    code: url,
    note: "Then press Connect. Claude connects from its servers, so this URL must be reachable from the internet.",
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
    text: "In .cursor/mcp.json of a project, or in ~/.cursor/mcp.json for all projects:",
    code: json({ mcpServers: { tidings: { url } } }),
    note: "Cursor then asks you to sign in. If your version can't, use an API key (see Others).",
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
    text: "Open Settings, Connectors, Advanced, and turn on Developer mode. Then create a connector with OAuth and this URL:",
    code: url,
    note: "ChatGPT connects from its servers, so this URL must be reachable from the internet.",
  },
  {
    way: "other",
    label: "Others",
    text: "Most apps accept JSON like this, with an API key instead of sign-in:",
    code: json({ mcpServers: { tidings: { type: "http", url, headers: { Authorization: "Bearer tdk_…" } } } }),
    note: "Replace tdk_… with an API key from an owner or admin. If the app supports sign-in, leave out “headers”. You'll then choose its permissions.",
  },
];

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
