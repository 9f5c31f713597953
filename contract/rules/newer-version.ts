/** True if a version such as 1.10.0 comes after another. */
export function isNewerVersion(version: string, than: string): boolean {
  const thanParts = than.split(".").map(Number);
  const differences = version.split(".").map((part, index) => Number(part) - thanParts[index]!);
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}
