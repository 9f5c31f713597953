import {
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Env } from "../../_shared/env.ts";
import { secretsFrom } from "../../_shared/seal.ts";
import { toBase64Url } from "../../_shared/base64.ts";
import type { Question } from "./tool.ts";

/** How long an answer may take. */
const seconds = 600;
const name = "answer";

/** What a question was about: the answer counts for exactly this. */
interface Asked {
  tool: string;
  about: string;
}

/** Thrown to end a call with a question. */
export class Unanswered extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("a person is asked first");
    this.result = result;
  }
}

/**
 * Questions to the person in front of an assistant. Between question and answer nothing is kept here: what was asked travels with the client,
 * signed, and is taken back from the key alone that it was given to. Nobody can make one, change it, or use another one's.
 */
export class Questions {
  readonly #env: Env;
  readonly #keyId: string;
  #codec: Promise<RequestStateCodec<Asked>> | undefined;

  constructor(env: Env, keyId: string) {
    this.#env = env;
    this.#keyId = keyId;
  }

  /** Made with the first question of a call: most have none. */
  #sealing(): Promise<RequestStateCodec<Asked>> {
    return (this.#codec ??= secretsFrom(this.#env, "questions", "", 32).then((key) =>
      createRequestStateCodec<Asked>({ key, ttlSeconds: seconds, bind: () => this.#keyId }),
    ));
  }

  readonly verify = async (state: string, context: ServerContext): Promise<Asked> => (await this.#sealing()).verify(state, context);

  /** The answer to a question of a tool with these arguments; without one the call ends with the question. */
  async ask(tool: string, input: unknown, { message, yes, about = "" }: Question, context: ServerContext): Promise<"yes" | "no"> {
    const asked = { tool, about: await digest(JSON.stringify([input, about])) };
    const said = context.mcpReq.requestState<Asked>();
    const answer = inputResponse(context.mcpReq.inputResponses, name);
    if (said?.tool === asked.tool && said.about === asked.about && answer.kind === "elicit")
      return answer.action === "accept" && answer.content?.["confirm"] === true ? "yes" : "no";
    const confirm = { type: "boolean", title: yes, default: false } as const;
    throw new Unanswered(
      inputRequired({
        inputRequests: {
          [name]: inputRequired.elicit({ message, requestedSchema: { type: "object", properties: { confirm }, required: ["confirm"] } }),
        },
        requestState: await (await this.#sealing()).mint(asked, context),
      }),
    );
  }
}

const digest = async (text: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
