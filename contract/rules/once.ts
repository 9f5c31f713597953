export function once<Made>(make: () => Made): () => Made {
  let result: Made | undefined;
  return () => (result ??= make());
}
