import { NarrowPage } from "../../components/narrow-page.tsx";
import { buttonClass } from "../../components/button.tsx";
import { placeOf } from "./leads-out.ts";

/** The answer is given and the browser on its way; an app or a program opens beside this page, which stays. */
export function SentBack({ to }: { to: string }) {
  return (
    <NarrowPage title="Your answer is given" text={`You are taken back to ${placeOf(to)}. If that has happened, this page can be closed.`}>
      <a href={to} rel="noreferrer" className={buttonClass({ variant: "secondary", wide: true })}>
        Nothing has opened? Go there now
      </a>
    </NarrowPage>
  );
}
