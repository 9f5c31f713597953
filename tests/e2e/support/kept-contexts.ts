import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright/test";

/**
 * Browser contexts that a worker's tests have one after the other: a new one would fetch and compile the product's script anew, which is a third
 * of what opening a page costs. Each begins without cookies and without anything that a page has stored; only Chromium's cache of files stays.
 * A test that asks more of its context than pages and cookies (a route, a script, a permission, an event) has it to itself: it is closed after.
 */
export interface KeptContexts {
  /** One with these options, new or of an earlier test. Its `close` gives it back. */
  take(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Takes back what the test has not closed itself. */
  takeBack(): Promise<void>;
}

interface Kept {
  context: BrowserContext;
  /** Its options: who asks for the same may have it. */
  key: string;
  isChanged(): boolean;
  /** Forgets what an earlier test has left. */
  begin(): Promise<void>;
  /** Really closes it. */
  end(): Promise<void>;
}

const mostIdle = 4; // as many people as a test has at once

export function keepContexts(create: Browser["newContext"]): KeptContexts {
  const idle = new Map<string, Kept[]>();
  const taken = new Set<Kept>();

  async function take(options: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify(options);
    const kept = idle.get(key)?.pop() ?? keep(await create(options), key, giveBack);
    taken.add(kept);
    await kept.begin();
    return kept.context;
  }

  async function giveBack(kept: Kept): Promise<void> {
    if (!taken.delete(kept)) return;
    const others = idle.get(kept.key) ?? [];
    if (kept.isChanged() || others.length >= mostIdle) return await kept.end();
    await Promise.all(kept.context.pages().map((page) => page.close()));
    others.push(kept);
    idle.set(kept.key, others);
  }

  return { take, takeBack: async () => void (await Promise.all([...taken].map(giveBack))) };
}

/** A context whose `close` gives it back and that notes when more is asked of it than can be forgotten. */
function keep(context: BrowserContext, key: string, giveBack: (kept: Kept) => Promise<void>): Kept {
  const newPage = context.newPage.bind(context);
  const newSession = context.newCDPSession.bind(context);
  const end = context.close.bind(context);
  let isChanged = false;
  let isNew = true;

  const origins = new Set<string>();
  const noteOrigin = (frame: Frame): void => {
    if (/^https?:/.test(frame.url())) origins.add(new URL(frame.url()).origin);
  };
  context.on("page", (page) => {
    noteOrigin(page.mainFrame()); // what another page opened is on its way already
    page.on("framenavigated", noteOrigin);
  });

  /** Of what the pages of these origins have stored nothing is left. Only from a page can it be reached: the first one of the next test. */
  async function empty(page: Page, of: string[]): Promise<void> {
    const session = await newSession(page);
    await Promise.all(of.map((origin) => session.send("Storage.clearDataForOrigin", { origin, storageTypes: stored })));
    await session.detach();
  }
  let toEmpty: string[] = [];
  let emptied = Promise.resolve();

  const kept: Kept = {
    context,
    key,
    isChanged: () => isChanged,
    begin: async () => {
      if (isNew) return void (isNew = false);
      toEmpty = [...origins];
      origins.clear();
      await context.clearCookies();
    },
    end,
  };

  noteCalls(context, () => (isChanged = true));
  noteCalls(context.clock, () => (isChanged = true));
  return Object.assign(kept, {
    context: Object.assign(context, {
      newPage: async () => {
        const page = await newPage();
        if (toEmpty.length > 0) emptied = empty(page, toEmpty.splice(0));
        await emptied;
        return page;
      },
      close: () => giveBack(kept),
    }),
  });
}

const stored = "local_storage,indexeddb,cache_storage,service_workers,file_systems,shared_storage,storage_buckets";
const harmless = new Set(["addCookies", "browser", "clearCookies", "constructor", "cookies", "newPage", "pages", "storageState"]);
const listening = ["on", "once", "addListener", "prependListener", "prependOnceListener"];

/** Runs `note` whenever a method of the thing is called that is not known to be harmless. */
function noteCalls(thing: object, note: () => void): void {
  const named = Object.getOwnPropertyNames(Object.getPrototypeOf(thing)).filter((name) => !name.startsWith("_") && !harmless.has(name));
  const methods = thing as Record<string, unknown>;
  for (const name of [...named, ...listening]) {
    const method = methods[name];
    if (typeof method !== "function") continue;
    methods[name] = (...args: unknown[]): unknown => {
      note();
      return method.apply(thing, args) as unknown;
    };
  }
}
