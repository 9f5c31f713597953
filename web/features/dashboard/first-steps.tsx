import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "../../ui/button.tsx";
import type { FirstSteps as Done, Workspace } from "#contract/workspaces.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { classNames } from "../../lib/class-names.ts";
import { paths } from "../../lib/paths.ts";
import { readStored, writeStored } from "../../lib/storage.ts";
import { usePublicSwitch } from "./use-dashboard.ts";
import css from "./first-steps.module.css";

interface FirstStepsProps {
  workspace: Workspace;
  done: Done;
  isPublic: boolean;
  isOwner: boolean;
}

/** Onboarding checklist for owner and admins, checked off by the server. Hidden when complete or dismissed in this browser. */
export function FirstSteps({ workspace, done, isPublic, isOwner }: FirstStepsProps) {
  const key = `tc:firstSteps:${workspace.id}`;
  const { busy, change } = usePublicSwitch(workspace.id);
  const [hidden, setHidden] = useState(() => readStored("local", key) !== null);
  const steps = stepsOf(workspace.id, done, isPublic).filter(({ name }) => isOwner || name !== "readable");
  const remaining = steps.filter(({ name }) => !done[name]).length;
  if (hidden || remaining === 0) return null;

  function hide() {
    writeStored("local", key, "hidden");
    setHidden(true);
  }
  return (
    <section className={css.steps} aria-labelledby="first-steps">
      <header className={css.head}>
        <h2 id="first-steps">Get started</h2>
        <Text as="span" size="small" tone="muted">
          {steps.length - remaining} of {steps.length} done
        </Text>
        <span className={css.hide}>
          <IconButton icon="times" label="Hide “Get started”" onClick={hide} />
        </span>
      </header>
      <ol role="list" className={css.list} aria-labelledby="first-steps">
        {steps.map(({ name, title, text, action }) => (
          <li key={name} className={classNames(css.step, done[name] && css.done)}>
            <Icon name={done[name] ? "check-circle" : "circle"} large className={css.mark} />
            <Stack gap={1} start>
              <h3>
                {title}
                {done[name] && <span className="visually-hidden"> (done)</span>}
              </h3>
              <p className={css.text}>{text}</p>
              {!done[name] &&
                (action === "open" ? (
                  <Button size="small" busy={busy} onClick={() => void change(true)}>
                    Turn it on
                  </Button>
                ) : (
                  <Link to={action.to}>{action.label}</Link>
                ))}
            </Stack>
          </li>
        ))}
      </ol>
      {!done.written && (
        <Text size="small" tone="muted">
          Coming from another product? <Link to={paths.importPosts(workspace.id)}>Import your posts</Link>
        </Text>
      )}
    </section>
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
    { name: "written", title: "Write", text: "A post stays a draft until you publish it.", action: write },
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
