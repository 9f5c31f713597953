import type { MaybeRefOrGetter, Ref } from "vue";
import type { MountOptions } from "./index.js";
import type { TidingsWidget } from "./react.js";

/** Shows the widget as long as a component with this composable is mounted. Does nothing on a server. */
export function useTidings(options: MaybeRefOrGetter<MountOptions>): Omit<TidingsWidget, "unread"> & { unread: Readonly<Ref<number>> };
