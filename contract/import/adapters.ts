import { changelog } from "./changelog.ts";
import { changesPage } from "./changes-page.ts";
import type { Adapter } from "./entry.ts";
import { github } from "./github.ts";
import { markdown } from "./markdown.ts";
import { quackback } from "./quackback.ts";
import { tidings } from "./tidings.ts";

/** Every kind of source; of several that are as sure the first is asked. */
export const adapters: readonly Adapter[] = [tidings, github, changesPage, quackback, changelog, markdown];
