import { expect, test } from "vitest";
import { hasPresentRules } from "./widget-rules.ts";

test("the database lets in the widget settings that the contract knows (npm run widget-rules)", () => expect(hasPresentRules()).toBe(true));
