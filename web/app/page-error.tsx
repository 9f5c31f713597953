import { use, useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router-dom";
import { Button, ButtonLink } from "../ui/button.tsx";
import { CurrentWorkspaceContext } from "../features/workspaces/current-workspace.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Row, Stack, Text } from "../ui/layout.tsx";
import css from "./app.module.css";
import { paths } from "../lib/paths.ts";

/** Replaces a page whose rendering or code loading failed. */
export function PageError() {
  const error = useRouteError();
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => console.error(error), [error]);
  const { title, text } = isMissingCode(error) ? missingCode : fault;
  usePageTitle(title);
  // Missing code needs a reload: a new version may be deployed.
  const tryAgain = () => (isMissingCode(error) ? window.location.reload() : void navigate(location, { replace: true }));

  const framed = use(CurrentWorkspaceContext) !== null;
  const Landmark = framed ? "div" : "main";

  return (
    <Stack as={Landmark} start className={css.error}>
      <Stack gap={3} role="alert">
        <h1>{title}</h1>
        <Text tone="muted">{text}</Text>
      </Stack>
      <Row gap={3}>
        <Button variant="primary" icon="refresh" onClick={tryAgain}>
          Try again
        </Button>
        <ButtonLink to={paths.workspaces} variant="quiet">
          Go to Workspaces
        </ButtonLink>
      </Row>
    </Stack>
  );
}

const fault = { title: "Something went wrong on this page", text: "This is a problem on our side. Your saved work is safe." };
const missingCode = {
  title: "Couldn't load this page",
  text: "Your connection was interrupted, or a new version was just released. Your saved work is safe.",
};

/** Browsers word a failed dynamic import differently, all as a TypeError. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script failed|error loading/i.test(error.message);
