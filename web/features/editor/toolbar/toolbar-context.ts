/** 'creating' on an edit path with /new, 'editor' on other edit paths, else 'default'. Source: specification, section 2. */
export type ToolbarContext = "creating" | "editor" | "default";

export function toolbarContext(pathname: string): ToolbarContext {
  const [area, rest] = pathname.split("/changelog/").slice(-2);
  if (area === undefined || rest === undefined) return "default";
  if (/^(?:edit\/)?new\/?$/.test(rest)) return "creating";
  return rest.startsWith("edit/") ? "editor" : "default";
}
