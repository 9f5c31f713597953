import { announcekit } from "./announcekit.ts";
import { beamer, csv } from "./beamer.ts";
import { canny } from "./canny.ts";
import { changelog } from "./changelog.ts";
import { changesPage } from "./changes-page.ts";
import type { Adapter } from "../entry.ts";
import { feed } from "./feed.ts";
import { ghost } from "./ghost.ts";
import { github } from "./github.ts";
import { headway } from "./headway.ts";
import { launchnotes } from "./launchnotes.ts";
import { markdown } from "./markdown.ts";
import { quackback } from "./quackback.ts";
import { tidings } from "./tidings.ts";
import { wordpress } from "./wordpress.ts";

/** The first wins among adapters with the same score. */
export const adapters: readonly Adapter[] = [
  tidings,
  github,
  changesPage,
  quackback,
  ghost,
  headway,
  beamer,
  csv,
  announcekit,
  canny,
  launchnotes,
  wordpress,
  feed,
  changelog,
  markdown,
];
