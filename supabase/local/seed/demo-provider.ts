const port = 4011;

/** Of the demo in `npm run dev`: single sign-on with any address at the domain, and any password. */
export const demoProvider = {
  port,
  issuer: `http://localhost:${port}`,
  clientId: "tidings",
  secret: "tidings-demo",
  domain: "acme.example",
};
