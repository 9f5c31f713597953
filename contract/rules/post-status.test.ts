import { describe, expect, test } from "vitest";
import { statusAt } from "#contract/rules/post-status.ts";

describe("a scheduled post", () => {
  const post = { status: "scheduled", publish_at: "2026-03-20T12:00:00Z" } as const;
  test("is scheduled until its minute", () => expect(statusAt(post, new Date("2026-03-20T11:59:59.999Z"))).toBe("scheduled"));
  test("is published from its minute on", () => expect(statusAt(post, new Date("2026-03-20T12:00:00Z"))).toBe("published"));
  test("is the only kind that time changes", () => {
    expect(statusAt({ status: "archived", publish_at: post.publish_at }, new Date("2027-01-01"))).toBe("archived");
    expect(statusAt({ status: "draft", publish_at: null }, new Date("2027-01-01"))).toBe("draft");
  });
});
