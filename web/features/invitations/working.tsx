import { Icon } from "../../ui/icon.tsx";
import { NarrowPage } from "../../ui/page.tsx";
import css from "./invited.module.css";

export function Working({ title }: { title: string }) {
  return (
    <NarrowPage title={title}>
      <p className={css.working} role="status">
        <Icon name="spinner" large />
        One moment…
      </p>
    </NarrowPage>
  );
}
