import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { keepFocus, useReturnFocus } from "./return-focus.ts";

/** What covers the page: its button answers it. */
function Question({ onAnswer, name }: { onAnswer: () => void; name: string }) {
  useReturnFocus();
  return (
    <div role="dialog" aria-label={name}>
      <button ref={(button) => button?.focus()} onClick={onAnswer}>
        {name}
      </button>
    </div>
  );
}

/** Rows that a question removes, at once or once the list was read again; the last one's removal is told in a second dialog. */
function Rows({ later = false, told = false }: { later?: boolean; told?: boolean }) {
  const [rows, setRows] = useState(["one", "two"]);
  const [asked, setAsked] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  function remove() {
    setAsked(null);
    if (told) setDone(true);
    const others = rows.filter((row) => row !== asked);
    if (later) setTimeout(() => act(() => setRows(others)), 50);
    else setRows(others);
  }
  return (
    <main>
      <h1>Rows</h1>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <button onClick={() => setAsked(row)}>Remove {row}</button>
          </li>
        ))}
      </ul>
      {asked && <Question name="Yes" onAnswer={remove} />}
      {done && <Question name="Done" onAnswer={() => setDone(false)} />}
    </main>
  );
}

function press(name: string) {
  const button = screen.getByRole("button", { name });
  button.focus();
  fireEvent.click(button);
}
const focused = () => document.activeElement?.textContent;

test.each([
  ["at once", false],
  ["when the list is read again", true],
])("a row that goes %s leaves the focus to its neighbour, the last one to the page", async (_, later) => {
  render(<Rows later={later} />);
  press("Remove one");
  press("Yes");
  await waitFor(() => expect(focused()).toBe("Remove two"));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove one" })).toBeNull());
  press("Remove two");
  press("Yes");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("of a dialog that another one follows, the second gives it back to where it was before the first", async () => {
  render(<Rows told />);
  press("Remove one");
  press("Yes");
  press("Done");
  await waitFor(() => expect(focused()).toBe("Remove two"));
});

test("who goes on by himself keeps the focus where it is", async () => {
  render(<Rows later />);
  press("Remove one");
  press("Yes");
  await waitFor(() => expect(focused()).toBe("Remove one"));
  const other = screen.getByRole("button", { name: "Remove two" });
  other.focus();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove one" })).toBeNull());
  expect(document.activeElement).toBe(other);
});

test("a button that takes itself away leaves it to what is nearest", async () => {
  function Banner() {
    const [shown, setShown] = useState(true);
    const takeBack = () => {
      keepFocus();
      setTimeout(() => act(() => setShown(false)), 20);
    };
    return (
      <main>
        <section>
          {shown && <button onClick={takeBack}>Take back</button>}
          <a href="/next">Next</a>
        </section>
      </main>
    );
  }
  render(<Banner />);
  press("Take back");
  await waitFor(() => expect(focused()).toBe("Next"));
});
