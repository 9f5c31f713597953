declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    domNode: Element;
    spec: object;
    [option: string]: unknown;
  }
  const SwaggerUI: (options: Options) => unknown;
  export default SwaggerUI;
}
