import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import css from "./review.module.css";

/** What is longer waits for whoever wants to read it: the text is what the page is for. */
const shownLength = 220;

/** What somebody said along with it. */
export function SaidWords({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false);
  if (!text) return null;
  const cut = !whole && text.length > shownLength * 1.25;
  return (
    <>
      <q className={css.quote}>{cut ? `${text.slice(0, shownLength).trimEnd()}…` : text}</q>
      {cut && (
        <Button variant="quiet" size="small" onClick={() => setWhole(true)}>
          Read all of it
        </Button>
      )}
    </>
  );
}
