export interface Sample {
  form: "publish" | "list" | "markdown";
  label: string;
  note: string;
  code: string;
}

export const samples = (origin: string, workspace: string): Sample[] => [
  {
    form: "publish",
    label: "Publish a release",
    note: 'Needs a key with the Publish permission. Without it, leave out "status" to create a draft.',
    code: `curl -X PUT ${origin}/api/v1/posts/by-external-id/v1.2.0 \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ title: `${workspace.replaceAll("'", "’")} 1.2.0`, markdown: "## Faster search\n\nResults appear **while you type**.", tags: ["feature"], status: "published" }, null, 2).replaceAll("\n", "\n  ")}'`,
  },
  {
    form: "list",
    label: "Read posts",
    note: "Last edited first, with a cursor for the next page.",
    code: `curl "${origin}/api/v1/posts?status=published" \\
  -H "Authorization: Bearer $TIDINGS_KEY"`,
  },
  {
    form: "markdown",
    label: "Read a post as Markdown",
    note: "Replace POST_ID with the ID of a post.",
    code: `curl ${origin}/api/v1/posts/POST_ID \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H "Accept: text/markdown"`,
  },
];
