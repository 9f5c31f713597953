/** @jsxImportSource preact */
import { languageOf, ourLanguage } from "../language.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { Layout } from "./layout.tsx";
import { SignpostDrawing } from "./parts.tsx";

const aside = (title: string, description: string) => ({ title, description, canonical: null });

/** Nothing public at this address. Without `branded` it says the same for workspaces that do not exist and those that are not public. */
export function NotFoundPage({ branded }: { branded: { workspace: PublicWorkspace; site: Site } | null }) {
  const { page: words } = (branded ? languageOf(branded.workspace) : ourLanguage).words;
  return (
    <Layout about={aside(words.notFound, words.nothingHere)} branded={branded}>
      <div className="note">
        <SignpostDrawing />
        <h1>{words.nothingHere}</h1>
        <p>{words.nothingHereHint}</p>
        {branded && (
          <a className="button" href={branded.site.path("/releases")}>
            {words.seeAll}
          </a>
        )}
      </div>
    </Layout>
  );
}

/** The operator suspended the workspace. */
export function SuspendedPage() {
  const [title, reason] = ["This changelog isn't available", "The operator of this site has suspended it."];
  return (
    <Layout about={aside(title, reason)} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>{title}</h1>
        <p>{reason}</p>
      </div>
    </Layout>
  );
}

/** The bare host without a workspace: asks whose changelog it shall be. Source: product decision 13. */
export function AddressPage({ host }: { host: string }) {
  return (
    <Layout about={aside("Whose changelog?", "Name a workspace to read its changelog.")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>Whose changelog would you like to read?</h1>
        <p>Every workspace has an address of its own.</p>
        <form className="ask" action="/releases">
          <label htmlFor="workspace">Address of the workspace</label>
          <span>
            <input
              id="workspace"
              name="workspace"
              required
              maxLength={63}
              autoComplete="off"
              autoCapitalize="none"
              spellcheck={false}
              placeholder="acme"
            />
            .{host}
          </span>
          <button className="button" type="submit">
            Open
          </button>
        </form>
      </div>
    </Layout>
  );
}

/** The database is away or something is wrong on our side; nothing of it is shown. */
export function FaultPage({ soon }: { soon: boolean }) {
  return (
    <Layout about={aside("Not available", "This page cannot be shown at the moment.")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>This page cannot be shown right now</h1>
        <p>
          {soon
            ? "The service is starting or busy. Please try again in a moment."
            : "Something went wrong on our side. We have made a note of it."}
        </p>
      </div>
    </Layout>
  );
}
