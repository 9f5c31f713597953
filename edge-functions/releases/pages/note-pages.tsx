/** @jsxImportSource preact */
import { languageOf, ourLanguage } from "../language.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { Layout } from "./layout.tsx";
import { SignpostDrawing } from "./parts.tsx";

const aside = (title: string, description: string) => ({ title, description, canonical: null });

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

/** Bare host: asks for a workspace. Source: product decision 13. */
export function AddressPage({ host }: { host: string }) {
  return (
    <Layout about={aside("Whose changelog?", "Enter a workspace to read its changelog.")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>Whose changelog would you like to read?</h1>
        <p>Every workspace has its own URL.</p>
        <form className="ask" action="/releases">
          <label htmlFor="workspace">Workspace URL</label>
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

export function FaultPage({ soon }: { soon: boolean }) {
  return (
    <Layout about={aside("Unavailable", "This page isn't available right now.")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>This page isn't available right now</h1>
        <p>
          {soon
            ? "The service is starting or busy. Please try again in a moment."
            : "Something went wrong on our side. We've logged the problem."}
        </p>
      </div>
    </Layout>
  );
}
