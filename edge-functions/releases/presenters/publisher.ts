import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";

export const publisherOf = (workspace: PublicWorkspace, site: Site) => ({
  "@type": "Organization",
  name: workspace.name,
  ...(workspace.origin && { url: workspace.origin }),
  ...(workspace.logo_url && { logo: { "@type": "ImageObject", url: site.file(workspace.logo_url) } }),
});
