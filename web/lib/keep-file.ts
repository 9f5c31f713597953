/** Has the browser keep a file as it keeps every download. */
export function keepFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser that asks where to keep it still needs it
}
