/** lite reads these when it is imported, so they belong to the environment that the process starts with. `fast` is for tests. */
export const servicesEnvironment = (fast: boolean): Record<string, string> => ({
  EXPERIMENTAL_STORAGE: "1",
  LITE_AUTH_BCRYPT_COST: fast ? "4" : "10",
});
