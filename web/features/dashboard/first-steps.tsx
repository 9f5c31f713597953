import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "../../components/button.tsx";
import type { FirstSteps as Done, Workspace } from "#contract/workspaces.ts";
import { Icon } from "../../components/icon.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { classNames } from "../../lib/class-names.ts";
import { paths } from "../../lib/paths.ts";
import { readStored, writeStored } from "../../lib/storage.ts";
import { usePublicSwitch } from "./use-dashboard.ts";
import css from "./first-steps.module.css";

interface FirstStepsProps {
  workspace: Workspace;
  done: Done;
  /** The public changelog is on. */
  isPublic: boolean;
  /** Only the owner goes public. */
  isOwner: boolean;
}

/**
 * What a new workspace has still to do, for the owner and administrators, who may do all of it or nearly all. Each step is ticked off by
 * what the server finds; the list goes when nothing is left, or when somebody does not want it in this browser.
 */
export function FirstSteps({ workspace, done, isPublic, isOwner }: FirstStepsProps) {
  const key = `tc:firstSteps:${workspace.id}`;
  const { busy, change } = usePublicSwitch(workspace.id);
  const [hidden, setHidden] = useState(() => readStored("local", key) !== null);
  const steps = stepsOf(workspace.id, done, isPublic).filter(({ name }) => isOwner || name !== "readable");
  const left = steps.filter(({ name }) => !done[name]).length;
  if (hidden || left === 0) return null;

  function hide() {
    writeStored("local", key, "hidden");
    setHidden(true);
  }
  return (
    <section className={css.steps} aria-labelledby="first-steps">
      <header className={css.head}>
        <h2 id="first-steps">First steps</h2>
        <span className={css.count}>
          {steps.length - left} of {steps.length} done
        </span>
        <span className={css.hide}>
          <IconButton icon="times" label="Hide the first steps" onClick={hide} />
        </span>
      </header>
      <ol role="list" className={css.list} aria-labelledby="first-steps">
        {steps.map(({ name, title, text, action }) => (
          <li key={name} className={classNames(css.step, done[name] && css.done)}>
            <Icon name={done[name] ? "check-circle" : "circle"} large className={css.mark} />
            <div className={css.words}>
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
            </div>
          </li>
        ))}
      </ol>
      {!done.written && (
        <p className={css.moving}>
          Coming from another product? <Link to={paths.importPosts(workspace.id)}>Bring your posts along</Link>
        </p>
      )}
    </section>
  );
}

interface Step {
  name: keyof Done;
  title: string;
  text: string;
  /** Where it is done; "open": right here. */
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
          text: "Your page is open. What is still missing is a post that is published.",
          action: done.written ? { label: "Open your posts", to: paths.changelog(workspaceId) } : write,
        }
      : {
          name: "readable",
          title: "Go public",
          text: "Publish a post and turn your page on, and everybody can read it.",
          action: "open",
        },
    {
      name: "installed",
      title: "Install the widget",
      text: "Your news on your own site. Done once a page there has shown it.",
      action: { label: "Get the snippet", to: paths.widget(workspaceId) },
    },
    {
      name: "invited",
      title: "Invite",
      text: "Somebody to write with, or just to read along.",
      action: { label: "Invite a colleague", to: paths.team(workspaceId) },
    },
  ];
}
