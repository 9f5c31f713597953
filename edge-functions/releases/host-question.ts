import { hostAnswer } from "#contract/rules/host-question.ts";

export const answerHost = (isKnown: boolean): Response =>
  Response.json(
    { known: isKnown },
    {
      status: isKnown ? 200 : 404,
      headers: { "cache-control": "no-store", [hostAnswer.header]: isKnown ? hostAnswer.known : hostAnswer.unknown },
    },
  );
