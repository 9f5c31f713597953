/** Set before the process starts, because lite reads these on import. `fast` is for tests. */
export const servicesEnvironment = (fast: boolean): Record<string, string> => ({
  EXPERIMENTAL_STORAGE: "1",
  LITE_AUTH_BCRYPT_COST: fast ? "4" : "10",
});
