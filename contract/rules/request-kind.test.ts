import { expect, test } from "vitest";
import { requestKind, requestLabel } from "./request-kind.ts";

test.each([
  ["https://linear.app/acme/issue/ENG-12/faster-search", "linear", "ENG-12"],
  ["https://acme.atlassian.net/browse/WEB-7?focusedId=1", "jira", "WEB-7"],
  ["https://github.com/acme/app/issues/12", "github", "acme/app#12"],
  ["https://github.com/acme/app/pull/13/files", "github", "acme/app#13"],
])("requestKind recognises %s", (url, kind, label) => {
  expect([requestKind(url), requestLabel(url)]).toEqual([kind, label]);
});

test.each([
  "http://linear.app/acme/issue/ENG-12",
  "https://linear.app.example/acme/issue/ENG-12",
  "https://atlassian.net/browse/WEB-7",
  "https://github.com/acme/app",
  "https://github.com/acme/app/issues/",
  "https://gitlab.com/acme/app/issues/12",
  "javascript:alert(1)//https://github.com/acme/app/issues/12",
])("requestKind refuses %s", (url) => {
  expect(requestKind(url)).toBeNull();
});
