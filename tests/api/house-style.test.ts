import { beforeAll, describe, expect, test } from "vitest";
import { houseStyleEndpoints } from "#contract/house-style.ts";
import { as } from "./support/client.ts";
import { newTeam, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const at = ({ workspaceId }: Team = team) => `/api/workspaces/${workspaceId}/house-style`;
const nothing = { text: "", updated_by_name: null, updated_at: null };

describe("a house style", () => {
  test("is empty until somebody writes it; every member reads it, and it can be taken back", async () => {
    const own = await newTeam();
    expect(as(houseStyleEndpoints.read, await own.viewer.api.get(at(own)))).toEqual({ house_style: nothing });
    const text = "Write to the reader: “you”, never “users”.\n\n- Say what is better first.\n\t- Then how.";
    const saved = as(houseStyleEndpoints.save, await own.admin.api.put(at(own), { text: `\r\n ${text.replaceAll("\n", "\r\n")} ` }));
    expect(saved.house_style).toEqual({ text, updated_by_name: "Adam Admin", updated_at: expect.any(String) as string });
    for (const person of [own.owner, own.admin, own.editor, own.viewer])
      expect(as(houseStyleEndpoints.read, await person.api.get(at(own)))).toEqual(saved);
    expect(as(houseStyleEndpoints.save, await own.owner.api.put(at(own), { text })).house_style).toEqual(saved.house_style);
    expect(as(houseStyleEndpoints.save, await own.owner.api.put(at(own), { text: " " })).house_style).toMatchObject({
      ...{ text: "", updated_by_name: "Olive Owner" },
    });
  });

  test("loses the signs that nobody sees", async () => {
    const { body } = await team.owner.api.put<{ house_style: { text: string } }>(at(), { text: "Be\u0000 brief.\u001b[31m\u0085\nYes." });
    expect(body.house_style.text).toBe("Be brief.[31m\nYes.");
  });
});
