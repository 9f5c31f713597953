/** @jsxImportSource preact */
import { isPrivate } from "#contract/rules/reader-access.ts";
import { languageOf } from "../language.ts";
import { Layout } from "../pages/layout.tsx";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";

export type Problem = "wrong" | "later";

interface AccessPageProps {
  workspace: PublicWorkspace;
  site: Site;
  publicUrl: string;
  /** Where the reader wanted to go. */
  to: string | null;
  problem?: Problem | undefined;
}

export function AccessPage({ workspace, site, publicUrl, to, problem }: AccessPageProps) {
  const { access: words } = languageOf(workspace).words;
  const { access } = workspace;
  const title = words.title(workspace.name);
  const signIn = `${publicUrl}/workspace/${workspace.id}/read?${new URLSearchParams(to === null ? {} : { to })}`;
  return (
    <Layout about={{ title, description: title, canonical: null }} branded={{ workspace, site, isClosed: true }}>
      <div className="subscription">
        <h1>{title}</h1>
        {isPrivate(access) && <p>{words[access as keyof typeof words & typeof access]}</p>}
        {access === "password" && (
          <form method="post" action={site.path("/releases/access")}>
            {to !== null && <input type="hidden" name="to" value={to} />}
            <label htmlFor="password">{words.passwordLabel}</label>
            <input
              id="password"
              type="password"
              name="password"
              required
              autoComplete="current-password"
              autoFocus
              aria-invalid={problem === undefined ? undefined : true}
              aria-describedby={problem === undefined ? undefined : "password-problem"}
            />
            {problem !== undefined && (
              <p className="wrong" id="password-problem">
                {words[problem]}
              </p>
            )}
            <label className="choice">
              <input type="checkbox" name="forget" value="1" /> {words.forget}
            </label>
            <button className="button" type="submit">
              {words.open}
            </button>
          </form>
        )}
        {access === "members" ? (
          <a className="button" href={signIn}>
            {words.signIn}
          </a>
        ) : (
          <p className="aside">
            <a href={signIn}>{words.teamSignIn}</a>
          </p>
        )}
      </div>
    </Layout>
  );
}
