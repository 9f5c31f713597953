export function isNewerVersion(version: string, than: string): boolean {
  const thanParts = than.split(".").map(Number);
  const differences = version.split(".").map((part, index) => Number(part) - thanParts[index]!);
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}
