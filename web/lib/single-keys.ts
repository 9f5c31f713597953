import { useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";
import { readStored, writeStored } from "./storage.ts";

/** Single-key shortcuts on this device. Speech input users turn them off (WCAG 2.1.4). */
const key = "tc:single-keys";
const changes = createListeners();

const isOn = (): boolean => readStored("local", key) !== "off";

export function setSingleKeys(on: boolean): void {
  writeStored("local", key, on ? null : "off");
  changes.notify();
}

export const useSingleKeys = (): boolean => useSyncExternalStore(changes.listen, isOn);
