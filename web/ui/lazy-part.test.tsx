import { act, fireEvent, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { lazyPart } from "./lazy-part.tsx";

const Hello = ({ name }: { name: string; onClose?: () => void }) => <p>Hello {name}</p>;
const missing = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

function open(props: { name: string; onClose?: () => void } = { name: "Ada" }) {
  vi.spyOn(console, "error").mockImplementation(() => undefined); // React logs caught errors
  const load = vi.fn<() => Promise<{ Hello: typeof Hello }>>(missing);
  const Part = lazyPart(load, "Hello");
  const app = (
    <>
      <h1>Page</h1>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </>
  );
  return { ...render(app), load, arrive: () => load.mockResolvedValue({ Hello }) };
}

test("lazyPart tries three times, then shows an error beside the page", async () => {
  const { load } = open();
  expect((await screen.findByRole("alert")).textContent).toContain("This didn't load.");
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByRole("heading", { name: "Page" })).toBeTruthy();
});

test("lazyPart preloads, and retries a failed preload when shown", async () => {
  const load = vi.fn<() => Promise<{ Hello: typeof Hello }>>(() => Promise.resolve({ Hello }));
  const Part = lazyPart(load, "Hello");
  Part.preload();
  expect(load).toHaveBeenCalledOnce();

  const failing = vi.fn<() => Promise<{ Hello: typeof Hello }>>(missing);
  const Late = lazyPart(failing, "Hello");
  Late.preload();
  await vi.waitFor(() => expect(failing).toHaveBeenCalledTimes(3));
  failing.mockResolvedValue({ Hello });
  render(
    <Suspense>
      <Late name="Ada" />
    </Suspense>,
  );
  await screen.findByText("Hello Ada");
});

test("it is asked for again when the connection is back", async () => {
  const { arrive } = open();
  await screen.findByRole("alert");
  arrive();
  act(() => void window.dispatchEvent(new Event("online")));
  await screen.findByText("Hello Ada");
});

test("lazyPart's error can be closed", async () => {
  const onClose = vi.fn<() => void>();
  open({ name: "Ada", onClose });
  fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("lazyPart rethrows errors of a loaded part", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error("at fault");
  };
  const Part = lazyPart(async () => ({ Broken }), "Broken");
  const rendered = act(async () => {
    render(
      <Suspense>
        <Part />
      </Suspense>,
    );
  });
  await expect(rendered).rejects.toThrow("at fault");
  expect(screen.queryByRole("alert")).toBeNull();
});
