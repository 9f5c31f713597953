import type { Product } from "../source-client.ts";
import { announcekit } from "./announcekit.ts";
import { beamer } from "./beamer.ts";
import { canny } from "./canny.ts";
import { changesPage } from "./changes-page.ts";
import { feed } from "./feed.ts";
import { github } from "./github.ts";
import { headway } from "./headway.ts";
import { launchnotes } from "./launchnotes.ts";
import type { AskedSource, Source } from "./source.ts";

export const sources: Record<AskedSource, { product: Product; source: Source }> = {
  github: { product: { name: "GitHub", field: "address" }, source: github },
  feed: { product: { name: "The feed's server", field: "address" }, source: feed },
  headway: { product: { name: "Headway", field: "address" }, source: headway },
  beamer: { product: { name: "Beamer", field: "key" }, source: beamer },
  announcekit: { product: { name: "AnnounceKit", field: "address" }, source: announcekit },
  canny: { product: { name: "Canny", field: "key" }, source: canny },
  launchnotes: { product: { name: "LaunchNotes", field: "address" }, source: launchnotes },
  "changes-page": { product: { name: "changes.page", field: "address" }, source: changesPage },
};
