import { useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { Button, ButtonLink } from "../../ui/button.tsx";
import type { FirstSteps as Done, Workspace } from "#contract/workspaces.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Panel, Row, Stack, Text } from "../../ui/layout.tsx";
import { paths } from "../../lib/paths.ts";
import { readStored, writeStored } from "../../lib/storage.ts";
import { usePublicSwitch } from "./use-dashboard.ts";

interface FirstStepsProps {
  workspace: Workspace;
  done: Done;
  isPublic: boolean;
  isOwner: boolean;
  /** Shown unless the next step is to write a post. */
  children: ReactNode;
}

/** Onboarding checklist for owner and admins, checked off by the server. Hidden when complete or dismissed in this browser. */
export function FirstSteps({ workspace, done, isPublic, isOwner, children }: FirstStepsProps) {
  const key = `tc:firstSteps:${workspace.id}`;
  const { busy, change } = usePublicSwitch(workspace.id);
  const [hidden, setHidden] = useState(() => readStored("local", key) !== null);
  const steps = stepsOf(workspace.id, done, isPublic).filter(({ name }) => isOwner || name !== "readable");
  const remaining = steps.filter(({ name }) => !done[name]);
  const next = remaining[0];
  if (hidden || !next) return children;

  function hide() {
    writeStored("local", key, "hidden");
    setHidden(true);
  }
  return (
    <>
      <Panel as="section" gap={2} aria-labelledby="first-steps">
        <Row as="header" gap={3}>
          <h2 id="first-steps">Get started</h2>
          <Text as="span" size="small" tone="muted" grow>
            {steps.length - remaining.length} of {steps.length} done
          </Text>
          <IconButton icon="times" label="Hide “Get started”" onClick={hide} />
        </Row>
        <Stack as="ol" role="list" gap={3} aria-labelledby="first-steps">
          {steps.map((step) => (
            <Row as="li" key={step.name} gap={3} align="start" nowrap>
              <Text as="span" tone={done[step.name] ? "ok" : "muted"}>
                <Icon name={done[step.name] ? "check-circle" : "circle"} large />
              </Text>
              <Stack gap={2} start grow>
                <Text as="h3" tone={done[step.name] ? "muted" : "text"}>
                  {step.title}
                  {done[step.name] && <span className="visually-hidden"> (done)</span>}
                </Text>
                {step === next && (
                  <>
                    <Text tone="muted">{step.text}</Text>
                    {step.action === "open" ? (
                      <Button variant="primary" busy={busy} onClick={() => void change(true)}>
                        Turn it on
                      </Button>
                    ) : (
                      <ButtonLink variant="primary" to={step.action.to}>
                        {step.action.label}
                      </ButtonLink>
                    )}
                  </>
                )}
              </Stack>
              {!done[step.name] && step !== next && step.action !== "open" && <Link to={step.action.to}>{step.action.label}</Link>}
            </Row>
          ))}
        </Stack>
        {!done.written && (
          <Text size="small" tone="muted">
            Coming from another product? <Link to={paths.importPosts(workspace.id)}>Import your posts</Link>
          </Text>
        )}
      </Panel>
      {next.name !== "written" && children}
    </>
  );
}

interface Step {
  name: keyof Done;
  title: string;
  text: string;
  /** "open" makes the page public in place. */
  action: { label: string; to: string } | "open";
}

function stepsOf(workspaceId: string, done: Done, isPublic: boolean): Step[] {
  const write = { label: "Write a post", to: paths.newPost(workspaceId) };
  return [
    {
      name: "written",
      title: "Create your first post",
      text: "Tell readers what's new. It stays a draft until you publish it.",
      action: write,
    },
    isPublic
      ? {
          name: "readable",
          title: "Go public",
          text: "Your page is public. Now publish your first post.",
          action: done.written ? { label: "Open your posts", to: paths.changelog(workspaceId) } : write,
        }
      : {
          name: "readable",
          title: "Go public",
          text: "Publish a post, then make your page public.",
          action: "open",
        },
    {
      name: "installed",
      title: "Install the widget",
      text: "Show updates inside your product. We'll tick this off when the widget first loads.",
      action: { label: "Get the snippet", to: paths.widget(workspaceId) },
    },
    {
      name: "invited",
      title: "Invite",
      text: "Invite teammates to write, review or follow along.",
      action: { label: "Invite teammates", to: paths.team(workspaceId) },
    },
  ];
}
