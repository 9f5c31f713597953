export interface Sample {
  form: "publish" | "list" | "markdown";
  label: string;
  note: string;
  code: string;
}

/** Ways to use a key, by curl. */
export const samples = (origin: string, workspace: string): Sample[] => [
  {
    form: "publish",
    label: "Publish a release",
    note: 'Needs a key that may publish. Without that, leave "status" out: it becomes a draft, and a person publishes it.',
    code: `curl -X PUT ${origin}/api/v1/posts/by-external-id/v1.2.0 \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ title: `${workspace.replaceAll("'", "’")} 1.2.0`, markdown: "## Faster search\n\nResults appear **while you type**.", tags: ["feature"], status: "published" }, null, 2).replaceAll("\n", "\n  ")}'`,
  },
  {
    form: "list",
    label: "Read posts",
    note: "The last edited first, with a cursor for what follows.",
    code: `curl "${origin}/api/v1/posts?status=published" \\
  -H "Authorization: Bearer $TIDINGS_KEY"`,
  },
  {
    form: "markdown",
    label: "Read one as Markdown",
    note: "Put the id of a post in place of POST_ID.",
    code: `curl ${origin}/api/v1/posts/POST_ID \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H "Accept: text/markdown"`,
  },
];
