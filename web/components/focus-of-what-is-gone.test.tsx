import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useRef, useState } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
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

test("however late an answer takes away what has the focus, the neighbour gets it", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = async () => {
    for (const milliseconds of [60_000, 1_000]) await act(() => vi.advanceTimersByTimeAsync(milliseconds)); // React draws in between
  };
  function Answers() {
    const [answers, setAnswers] = useState(0);
    const ask = () => [60_000, 120_000].forEach((time, index) => setTimeout(() => setAnswers(index + 1), time));
    return (
      <main>
        <section>
          {answers === 0 && <Button onClick={ask}>Take back</Button>}
          {answers === 1 && <a href="/message">Done</a>}
          {answers === 2 && <a href="/post">The post</a>}
        </section>
      </main>
    );
  }
  render(<Answers />);
  press("Take back");
  await answer();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Done" }));
  await answer();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "The post" }));
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

/** A list whose buttons remove their rows at once, inside a dialog or not. */
function Texts({ inside }: { inside?: "dialog" }) {
  const [texts, setTexts] = useState(["one", "two", "three"]);
  return (
    <div role={inside}>
      <Button>Close</Button>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <Button>Copy {text}</Button>
            <IconButton icon="trash" label={`Delete ${text}`} onClick={() => setTexts(texts.filter((one) => one !== text))} />
          </li>
        ))}
      </ul>
    </div>
  );
}
const focusedName = () => document.activeElement?.getAttribute("aria-label") ?? focused();

test.each([
  ["on the page", undefined],
  ["in a dialog", "dialog" as const],
])(
  "a row %s that goes with its own press leaves the focus to the same button of the next row, else of the one before",
  async (_, inside) => {
    render(
      <main>
        <Texts inside={inside} />
      </main>,
    );
    press("Delete two");
    await waitFor(() => expect(focusedName()).toBe("Delete three"));
    press("Delete three");
    await waitFor(() => expect(focusedName()).toBe("Delete one"));
    press("Delete one");
    await waitFor(() => expect(focusedName()).toBe("Close"));
  },
);

test("a key that is held down deletes one row", async () => {
  render(<Texts />);
  press("Delete one");
  await waitFor(() => expect(focusedName()).toBe("Delete two"));
  const isTaken = (repeat: boolean) => fireEvent.keyDown(document.activeElement!, { key: "Enter", repeat });
  expect([isTaken(true), isTaken(true)]).toEqual([false, false]);
  fireEvent.keyUp(document.activeElement!, { key: "Enter" });
  expect([isTaken(false), isTaken(true)]).toEqual([true, true]);
});

test("what the page itself says about the focus stands", async () => {
  function Steps() {
    const [next, setNext] = useState(false);
    const heading = useRef<HTMLHeadingElement>(null);
    useEffect(() => {
      if (next) requestAnimationFrame(() => heading.current?.focus());
    }, [next]);
    return (
      <main>
        <section>
          <h2 ref={heading} tabIndex={-1}>
            Second
          </h2>
          <input aria-label="Name" />
          {!next && <Button onClick={() => setNext(true)}>Next</Button>}
        </section>
      </main>
    );
  }
  render(<Steps />);
  const seen: (string | null)[] = [];
  document.addEventListener("focusin", () => seen.push(focusedName() ?? null), { signal: AbortSignal.timeout(1_000) });
  press("Next");
  await waitFor(() => expect(focused()).toBe("Second"));
  await new Promise((done) => setTimeout(done, 100));
  expect(seen).toEqual(["Next", "Second"]);
});
