import { expect, test } from "vitest";
import { isForMember, memberMail } from "./member-mails.ts";

const [workspace, post, thread] = ["w-1", "p-1", "t-1"];
const mailOf = (told: Record<string, unknown>, kind = "mentioned") =>
  memberMail(
    { ...{ id: "d-1", kind, email: "bo@acme.example", workspace_id: workspace, workspace_name: "Acme" }, told: told as never },
    "https://tidings.example",
  );
const mention = { subject: thread, post_id: post, thread_id: thread, title: "Dark mode", by: "Ada", text: "@Bo please look" };

test("a mention names person, post and text, and links to the thread", () => {
  const mail = mailOf(mention);
  expect(mail).toMatchObject({ to: "bo@acme.example", subject: "Ada mentioned you in “Dark mode”", key: "d-1" });
  const href = "https://tidings.example/workspace/w-1/changelog/edit/p-1?thread=t-1";
  expect(mail.html).toContain(`href="${href}"`);
  expect(mail.html).toContain("@Bo please look");
  expect(mail.text).toContain(`> @Bo please look\n\nView comment: ${href}`);
  expect(mail.text).toContain("Choose your emails: https://tidings.example/settings#emails");
  expect(mail.headers).toMatchObject({ "Auto-Submitted": "auto-generated", "Message-ID": "<d-1@tidings.example>" });
});

test("user text is escaped, on one line in the subject, and truncated", () => {
  const mail = mailOf({
    ...mention,
    title: "<img src=x>\r\nBcc: all@example.com",
    by: "A\nB",
    text: `<script>alert(1)</script> ${"word ".repeat(2_000)}`,
  });
  expect(mail.subject).toBe("A B mentioned you in “<img src=x> Bcc: all@example.com”");
  expect(mail.html).not.toMatch(/<(img|script)/);
  expect(mail.html.length).toBeLessThan(8_000);
});

test("a post without title and an author without name have placeholders", () => {
  expect(mailOf({ ...mention, title: "", by: "" }).subject).toBe("Someone mentioned you in a post without a title");
});

test("reviews have emails; other kinds don't", () => {
  expect(
    mailOf({ subject: "r-1", post_id: post, title: "Dark mode", by: "Ada", text: "In time for Monday?" }, "review_asked").subject,
  ).toContain("Ada");
  expect(mailOf({ subject: "r-1", post_id: post, title: "Dark mode", by: "Ada", text: null }, "review_decided").html).not.toContain(
    "<blockquote",
  );
  expect(["mentioned", "review_asked", "review_decided", "held", "post", "toString"].filter(isForMember)).toEqual([
    "mentioned",
    "review_asked",
    "review_decided",
  ]);
});

test("a proposal links to its page", () => {
  const told = { subject: "q-1", proposal: "q-1", post_id: post, title: "Dark mode", by: "Ada", text: null };
  const asked = mailOf(told, "review_asked");
  expect(asked.subject).toBe("Ada proposes changes to “Dark mode”");
  expect(asked.text).toContain("https://tidings.example/workspace/w-1/changelog/edit/p-1?proposal=q-1");
  const subjects = ["accepted", "refused"].map((decision) => mailOf({ ...told, decision }, "review_decided").subject);
  expect(subjects).toEqual(["Ada accepted your changes to “Dark mode”", "Ada declined your changes to “Dark mode”"]);
});

test("suspension emails say what works and whom to contact, and so does the end", () => {
  const suspended = mailOf({ suspension: { message: "Please <call> us.", contact: "op@tidings.example" } }, "suspension");
  expect(suspended.subject).toBe("Acme was suspended");
  expect(suspended.text).toContain(
    "Questions? Write to op@tidings.example.\n\n> Please <call> us.\n\nOpen the dashboard: https://tidings.example/workspace/w-1/dashboard",
  );
  expect(suspended.html).toContain("Please &lt;call&gt; us.");
  expect(mailOf({ suspension: { message: "", contact: null } }, "suspension").text).not.toMatch(/Questions|^>/m);
  expect(mailOf({ suspension: null }, "suspension").subject).toBe("Acme is available again");
});
