import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { access } from "./access.js";
import { login, logout, whoami } from "./account.js";
import { exitCodes, Failure } from "./errors.js";
import { exportPosts, importFolder } from "./files.js";
import { completionFor, helpOf, usageOf } from "./help.js";
import { whatsNew } from "./whats-new.js";
import { archive, edit, get, list, send } from "./posts.js";

const options = {
  url: { type: "string", value: "<url>", about: "your Tidings (or TIDINGS_URL)" },
  title: { type: "string", value: "<title>", about: 'default: title in the front matter, or the first "# heading"' },
  tags: { type: "string", value: "<one,two>", about: "names or keys; missing tags are created" },
  "external-id": { type: "string", value: "<id>", about: "your own id, such as v1.2.0: publishing again updates that post" },
  summary: { type: "string", value: "<text>", about: "a sentence for lists and emails" },
  slug: { type: "string", value: "<slug>", about: "the last part of the address" },
  "product-version": { type: "string", value: "<version>", about: "the version of your product that the post is about" },
  component: { type: "string", value: "<name>", about: "the part of your product, such as Server" },
  "no-notify": { type: "boolean", about: "send no email" },
  schedule: { type: "string", value: "<time>", about: "publish at 2026-12-01T09:00:00Z" },
  draft: { type: "boolean", about: "save as a draft" },
  section: { type: "string", value: "<version>", about: "use only this version of a CHANGELOG.md" },
  status: { type: "string", value: "<status>", about: "draft, scheduled, published, archived or all (default)" },
  since: { type: "string", value: "<version>", about: "the version you have, such as 1.12.0" },
  tag: { type: "string", value: "<tag>", about: "only posts with this tag" },
  limit: { type: "string", value: "<number>", about: "at most this many (default 50)" },
  publish: { type: "boolean", about: "publish, except files with status: draft" },
  markdown: { type: "string", value: "<folder>", about: "every post as a .md file" },
  format: { type: "string", value: "<format>", about: "one file: markdown (a zip with images), changelog or feed" },
  output: { type: "string", value: "<file>", about: 'target file; "-" is stdout' },
  renew: { type: "boolean", about: "end the access of all readers" },
  json: { type: "boolean", about: "print the answer, or the error, as JSON" },
  help: { type: "boolean", short: "h", about: "show this help" },
  version: { type: "boolean", about: "show the version" },
};

const everywhere = ["url", "json", "help"];
const fields = ["title", "tags", "summary", "slug", "product-version", "component"];
const ofFile = [...fields, "external-id", "section", "no-notify"];

const commands = {
  login: { about: "save an API key: from TIDINGS_KEY, stdin or a prompt", options: [], run: login },
  logout: { about: "delete the saved key", options: [], run: logout },
  whoami: { about: "show the URL and the key, and check that it works", options: [], run: whoami },
  list: { about: "list posts, last edited first", options: ["status", "tag", "limit"], run: list },
  get: { takes: "<post>", about: "print a post as Markdown", options: ["output"], run: get },
  publish: { takes: "<file.md | ->", about: 'publish a post; "-" reads stdin', options: [...ofFile, "schedule", "draft"], run: send },
  draft: {
    takes: "<file.md | ->",
    about: "save a post as a draft",
    options: ofFile,
    run: (rest, values, io) => send(rest, { ...values, draft: true }, io),
  },
  edit: {
    takes: "<post> [file.md | -]",
    about: "change a post: by options, a file, or in $EDITOR",
    options: [...fields, "section", "no-notify"],
    run: edit,
  },
  archive: { takes: "<post>", about: "remove a post from the page and all lists", options: [], run: archive },
  import: { takes: "<folder>", about: "import every .md file as a draft", options: ["publish", "tags"], run: importFolder },
  export: { about: "export all posts, into a folder or one file", options: ["markdown", "format", "output"], run: exportPosts },
  access: {
    takes: "[public | unlisted | link | password | token | members]",
    about: "show or set who can read the public changelog",
    options: ["renew"],
    run: access,
  },
  "whats-new": {
    about: "list what changed on a public page since a version; needs no key",
    options: ["since", "component"],
    run: whatsNew,
  },
  completion: {
    takes: "<bash | zsh | fish>",
    about: "print a completion script for your shell",
    options: [],
    run: ([shell], _values, io) => io.stdout.write(completionFor(shell, commands, optionsOf)),
  },
};

const optionsOf = (command) => [...command.options, ...everywhere].map((name) => ({ name, ...options[name] }));

/** Returns the exit code. `io` is the process, or a fake in tests. */
export async function run(args, io) {
  try {
    await execute(args, io);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { details, exitCode, message } = error;
    io.stderr.write(args.includes("--json") ? `${JSON.stringify(details)}\n` : `tidings: ${message}\n`);
    return exitCode;
  }
}

async function execute(args, io) {
  const { values, positionals } = parsed(args);
  const [first, ...rest] = positionals;
  const name = first === "help" ? rest[0] : first;
  if (values.version)
    return io.stdout.write(`${JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
  if (name === undefined) return io.stdout.write(usageOf(commands));
  if (!Object.hasOwn(commands, name)) throw new Failure(`There's no command ${name}. tidings --help lists them.`, exitCodes.usage);
  const command = commands[name];
  if (values.help || first === "help") return io.stdout.write(helpOf(name, command, optionsOf(command)));
  const allowed = new Set([...command.options, ...everywhere]);
  const other = Object.keys(values).find((option) => !allowed.has(option));
  if (other !== undefined) throw new Failure(`${name} has no option --${other}. See tidings ${name} --help.`, exitCodes.usage);
  await command.run(rest, values, io);
}

function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Failure(`${error.message}\nRun tidings --help for usage.`, exitCodes.usage);
  }
}
