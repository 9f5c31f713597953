import { onMounted, ref, toValue, watch } from "vue";
import { callsOf, start } from "./start.js";

export function useTidings(options) {
  const unread = ref(0);
  onMounted(() =>
    watch(
      () => ({ ...toValue(options) }),
      (current, _, onCleanup) => onCleanup(start(current, (count) => (unread.value = count))),
      { immediate: true },
    ),
  );
  return { unread, ...callsOf(() => toValue(options).workspace) };
}
