import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright/test";

/**
 * Browser contexts reused by a worker's tests, since a new one would compile the app again, a third of the time to open a page. Cookies and storage
 * are cleared between tests; only Chromium's cache stays. A context with routes, scripts, permissions or listeners is closed instead.
 */
export interface KeptContexts {
  take(options: BrowserContextOptions): Promise<BrowserContext>;
  takeBack(): Promise<void>;
}

interface Kept {
  context: BrowserContext;
  key: string;
  isChanged(): boolean;
  begin(): Promise<void>;
  end(): Promise<void>;
}

const mostIdle = 4; // the maximum of people in a test

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
    noteOrigin(page.mainFrame()); // its navigation has already started
    page.on("framenavigated", noteOrigin);
  });

  /** Clears the storage of these origins. Only a page can do that: the next test's first one. */
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

/** Calls `note` when a method outside the allowed list is called. */
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
