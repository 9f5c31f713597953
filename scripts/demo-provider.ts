import { demoProvider } from "../supabase/local/seed/demo-provider.ts";
import { CertifiedProvider } from "../tests/support/certified-provider.ts";

/** The demo's identity provider, started by `npm run dev`. The argument is the stack's URL. */
const provider = new CertifiedProvider({ redirectUri: `${process.argv[2]}/auth/callback`, port: demoProvider.port });
await provider.start();
provider.rotateSecret(demoProvider.secret);
