import {
  type INodeProperties,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from "n8n-workflow";
import * as field from "./fields";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One call of the API. `result`: the part of the answer to return. */
const call = (name: string, value: string, action: string, method: Method, url: string, result?: string): INodePropertyOptions => ({
  name,
  value,
  action,
  description: `${action[0]!.toUpperCase()}${action.slice(1)}`,
  routing: { request: { method, url }, ...(result !== undefined && { output: field.only(result) }) },
});

const post = "=/posts/{{ $parameter.id }}";

const operations: Record<string, INodePropertyOptions[]> = {
  post: [
    call("Archive", "archive", "archive a post", "POST", `${post}/archive`, "post"),
    call("Create", "create", "create a post", "POST", "/posts", "post"),
    call(
      ...(["Create or Update", "upsert", "create or update a post by its external ID", "PUT"] as const),
      ...(["=/posts/by-external-id/{{ encodeURIComponent($parameter.externalId) }}", "post"] as const),
    ),
    call("Delete", "delete", "permanently delete a draft", "DELETE", post),
    call("Get", "get", "get a post", "GET", post, "post"),
    call("Get Many", "getAll", "get many posts", "GET", "/posts", "posts"),
    call("Publish", "publish", "publish a post", "POST", `${post}/publish`, "post"),
    call("Schedule", "schedule", "schedule a post", "POST", `${post}/schedule`, "post"),
    call("Update", "update", "update a post", "PATCH", post, "post"),
  ],
  subscriber: [
    call("Create", "create", "add a subscriber", "POST", "/subscribers", "subscriber"),
    call("Delete", "delete", "remove a subscriber", "DELETE", "=/subscribers/{{ $parameter.id }}"),
    call("Get Many", "getAll", "get many subscribers", "GET", "/subscribers", "subscribers"),
  ],
  tag: [
    call("Create", "create", "add a tag", "POST", "/tags", "tag"),
    call("Delete", "delete", "delete a tag", "DELETE", "=/tags?key={{ encodeURIComponent($parameter.key) }}"),
    call("Get Many", "getAll", "get many tags", "GET", "/tags", "tags"),
  ],
};

const on = (resource: string, ...operation: string[]) => ({ resource: [resource], operation });
const shown = (fields: INodeProperties[], resource: string, ...operation: string[]): INodeProperties[] =>
  fields.map((one) => ({ ...one, displayOptions: { show: on(resource, ...operation) } }));

const collection = (displayName: string, name: string, options: INodeProperties[], show: Record<string, string[]>): INodeProperties => ({
  displayName,
  name,
  type: "collection",
  placeholder: `Add ${displayName.replace(/s$/, "").replace(/^Additional /, "")}`,
  default: {},
  options,
  displayOptions: { show },
});

export class Tidings implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Tidings",
    name: "tidings",
    icon: "file:tidings.svg",
    group: ["output"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Write and publish posts of a changelog, and manage its tags and subscribers",
    defaults: { name: "Tidings" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "tidingsApi", required: true }],
    requestDefaults: { baseURL: '={{ $credentials.host.replace(/\\/+$/, "") }}/api/v1' },
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        default: "post",
        options: [
          { name: "Post", value: "post" },
          { name: "Subscriber", value: "subscriber" },
          { name: "Tag", value: "tag" },
        ],
      },
      ...Object.entries(operations).map(([resource, options]): INodeProperties => ({
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "getAll",
        displayOptions: { show: { resource: [resource] } },
        options,
      })),
      field.externalId(on("post", "upsert")),
      field.idOf("Post", on("post", "archive", "delete", "get", "publish", "schedule", "update")),
      ...shown([field.title, field.markdown], "post", "create", "upsert"),
      field.publishAt(on("post", "schedule")),
      collection("Additional Fields", "additionalFields", field.postFields, on("post", "create", "upsert")),
      collection(
        "Update Fields",
        "updateFields",
        [{ ...field.title, required: false }, field.markdown, ...field.postFields],
        on("post", "update"),
      ),
      ...field.limits(on("post", "getAll")),
      collection("Filters", "filters", field.postFilters, on("post", "getAll")),

      field.idOf("Subscriber", on("subscriber", "delete")),
      ...shown([field.email], "subscriber", "create"),
      collection("Additional Fields", "additionalFields", field.subscriberFields, on("subscriber", "create")),
      ...field.limits(on("subscriber", "getAll")),

      ...shown(field.tagFields, "tag", "create"),
      {
        displayName: "Tag Key",
        name: "key",
        type: "string",
        required: true,
        default: "",
        displayOptions: { show: on("tag", "delete") },
      },
    ],
  };
}
