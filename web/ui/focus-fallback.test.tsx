import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useRef, useState } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { keepFocus, useReturnFocus } from "./return-focus.ts";

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

function Rows({ later = false, told: confirmed = false }: { later?: boolean; told?: boolean }) {
  const [rows, setRows] = useState(["one", "two"]);
  const [asked, setAsked] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  function remove() {
    setAsked(null);
    if (confirmed) setDone(true);
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
  ["immediately", false],
  ["after a refetch", true],
])("focus moves to the neighbour of a row removed %s, and to the page after the last one", async (_, later) => {
  render(<Rows later={later} />);
  press("Remove one");
  press("Yes");
  await waitFor(() => expect(focused()).toBe("Remove two"));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove one" })).toBeNull());
  press("Remove two");
  press("Yes");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("focus returns from a second dialog to where it was before the first", async () => {
  render(<Rows told />);
  press("Remove one");
  press("Yes");
  press("Done");
  await waitFor(() => expect(focused()).toBe("Remove two"));
});

test("focus moves to the neighbour even after a late response", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = async () => {
    for (const milliseconds of [60_000, 1_000]) await act(() => vi.advanceTimersByTimeAsync(milliseconds)); // React renders in between
  };
  function LateRows() {
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
  render(<LateRows />);
  press("Take back");
  await answer();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Done" }));
  await answer();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "The post" }));
});

test("focus stays where the user moved it", async () => {
  render(<Rows later />);
  press("Remove one");
  press("Yes");
  await waitFor(() => expect(focused()).toBe("Remove one"));
  const other = screen.getByRole("button", { name: "Remove two" });
  other.focus();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove one" })).toBeNull());
  expect(document.activeElement).toBe(other);
});

test("focus moves from a button that removes itself to the nearest control", async () => {
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

/** Rows whose buttons remove them, inside a dialog or not. */
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
])("focus moves %s from a removed row to the same button of the next or previous row", async (_, inside) => {
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
});

test("a held key deletes one row", async () => {
  render(<Texts />);
  press("Delete one");
  await waitFor(() => expect(focusedName()).toBe("Delete two"));
  const isHandled = (repeat: boolean) => fireEvent.keyDown(document.activeElement!, { key: "Enter", repeat });
  expect([isHandled(true), isHandled(true)]).toEqual([false, false]);
  fireEvent.keyUp(document.activeElement!, { key: "Enter" });
  expect([isHandled(false), isHandled(true)]).toEqual([true, true]);
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
  const focusLog: (string | null)[] = [];
  document.addEventListener("focusin", () => focusLog.push(focusedName() ?? null), { signal: AbortSignal.timeout(1_000) });
  press("Next");
  await waitFor(() => expect(focused()).toBe("Second"));
  await new Promise((done) => setTimeout(done, 100));
  expect(focusLog).toEqual(["Next", "Second"]);
});
