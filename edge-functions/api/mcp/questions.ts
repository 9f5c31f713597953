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

const seconds = 600;
const name = "answer";

interface QuestionState {
  tool: string;
  about: string;
}

export class Unanswered extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("a person is asked first");
    this.result = result;
  }
}

/** Stateless confirmation: the question travels as state signed and bound to the key, so it can't be forged, changed or reused. */
export class Questions {
  readonly #env: Env;
  readonly #keyId: string;
  #codec: Promise<RequestStateCodec<QuestionState>> | undefined;

  constructor(env: Env, keyId: string) {
    this.#env = env;
    this.#keyId = keyId;
  }

  /** Lazy: most calls ask nothing. */
  #sealing(): Promise<RequestStateCodec<QuestionState>> {
    return (this.#codec ??= secretsFrom(this.#env, "questions", "", 32).then((key) =>
      createRequestStateCodec<QuestionState>({ key, ttlSeconds: seconds, bind: () => this.#keyId }),
    ));
  }

  readonly verify = async (state: string, context: ServerContext): Promise<QuestionState> => (await this.#sealing()).verify(state, context);

  /** Returns the answer to this question, or throws to ask it. */
  async ask(tool: string, input: unknown, { message, yes, about = "" }: Question, context: ServerContext): Promise<"yes" | "no"> {
    const subject = { tool, about: await digest(JSON.stringify([input, about])) };
    const returned = context.mcpReq.requestState<QuestionState>();
    const answer = inputResponse(context.mcpReq.inputResponses, name);
    if (returned?.tool === subject.tool && returned.about === subject.about && answer.kind === "elicit")
      return answer.action === "accept" && answer.content?.["confirm"] === true ? "yes" : "no";
    const confirm = { type: "boolean", title: yes, default: false } as const;
    throw new Unanswered(
      inputRequired({
        inputRequests: {
          [name]: inputRequired.elicit({ message, requestedSchema: { type: "object", properties: { confirm }, required: ["confirm"] } }),
        },
        requestState: await (await this.#sealing()).mint(subject, context),
      }),
    );
  }
}

const digest = async (text: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
