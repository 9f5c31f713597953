import { Note, Text } from "../../ui/layout.tsx";
import css from "./auth.module.css";

const entries = [
  {
    date: "Mar 12",
    tag: "Feature",
    title: "Exports run in the background",
    text: "Start one, close the tab, and we'll send you the file when it's ready.",
  },
  {
    date: "Mar 05",
    tag: "Fix",
    title: "Dates follow your time zone",
    text: "Reports no longer move an evening's numbers to the next day.",
  },
  {
    date: "Feb 26",
    tag: "Improvement",
    title: "Search finds archived projects",
    text: "They come last and are marked, so nothing gets lost.",
  },
] as const;

export function MarketingPanel() {
  return (
    <aside className={css.panel} aria-label="About Tidings">
      <div className={css.pitch}>
        <p className={css.claim}>Your product keeps improving. Let your users know.</p>
        <Text size="lead" tone="muted">
          Write updates together, publish them on your own page, and show them inside your product.
        </Text>
      </div>
      <div className={css.sheet} aria-hidden="true">
        <div className={css.masthead}>
          <span>What's new</span>
          <Note as="span">acme.example</Note>
        </div>
        {entries.map(({ date, tag, title, text }) => (
          <div key={date} className={css.entry}>
            <Note as="div">
              <time>{date}</time>
              <Text tone="accent" strong>
                {tag}
              </Text>
            </Note>
            <div>
              <Text size="lead" className={css.title}>
                {title}
              </Text>
              <Text tone="muted">{text}</Text>
            </div>
          </div>
        ))}
      </div>
    </aside>
  );
}
