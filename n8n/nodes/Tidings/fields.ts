import type { INodeProperties, INodePropertyOptions, INodeRequestOutput } from "n8n-workflow";

type Show = Record<string, string[]>;

const named = (values: string[]): INodePropertyOptions[] =>
  values.map((value) => ({ name: value[0]!.toUpperCase() + value.slice(1), value }));

/** A name of tags becomes a list, a time gets the workflow's time zone. */
const listOfNames = '={{ $value.split(",").map((name) => name.trim()).filter((name) => name) }}';
const withZone = "={{ $value ? $value.toDateTime().toISO() : undefined }}";

const sent = (property: string, value?: string): Pick<INodeProperties, "routing"> => ({
  routing: { send: { type: "body", property, ...(value !== undefined && { value }) } },
});

const asked = (property: string): Pick<INodeProperties, "routing"> => ({ routing: { send: { type: "query", property } } });

export const only = (property: string): INodeRequestOutput => ({
  postReceive: [{ type: "rootProperty", properties: { property } }],
});

export const idOf = (resource: string, show: Show): INodeProperties => ({
  displayName: `${resource} ID`,
  name: "id",
  type: "string",
  required: true,
  default: "",
  displayOptions: { show },
});

export const externalId = (show: Show): INodeProperties => ({
  displayName: "External ID",
  name: "externalId",
  type: "string",
  required: true,
  default: "",
  placeholder: "v1.2.0",
  description: "Your own name of the post, such as a version. The same name updates the same post.",
  displayOptions: { show },
});

export const title: INodeProperties = {
  displayName: "Title",
  name: "title",
  type: "string",
  required: true,
  default: "",
  ...sent("title"),
};

export const markdown: INodeProperties = {
  displayName: "Markdown",
  name: "markdown",
  type: "string",
  typeOptions: { rows: 8 },
  default: "",
  description: "The content of the post",
  ...sent("markdown"),
};

export const postFields: INodeProperties[] = [
  {
    displayName: "Notify Readers",
    name: "notify",
    type: "boolean",
    default: true,
    description: "Whether publishing sends emails and webhooks",
    ...sent("notify"),
  },
  {
    displayName: "Publish At",
    name: "publish_at",
    type: "dateTime",
    default: "",
    description: "For scheduled posts",
    ...sent("publish_at", withZone),
  },
  {
    displayName: "Published At",
    name: "published_at",
    type: "dateTime",
    default: "",
    description: "An earlier date for a published post",
    ...sent("published_at", withZone),
  },
  {
    displayName: "Slug",
    name: "slug",
    type: "string",
    default: "",
    description: "The end of the post's URL",
    ...sent("slug"),
  },
  {
    displayName: "Status",
    name: "status",
    type: "options",
    options: named(["draft", "published", "scheduled"]),
    default: "draft",
    ...sent("status"),
  },
  { displayName: "Summary", name: "summary", type: "string", default: "", ...sent("summary") },
  {
    displayName: "Tag Names or Keys",
    name: "tags",
    type: "string",
    default: "",
    placeholder: "feature, security",
    description: "Separated by commas. New names become tags.",
    ...sent("tags", listOfNames),
  },
];

export const publishAt = (show: Show): INodeProperties => ({
  displayName: "Publish At",
  name: "publishAt",
  type: "dateTime",
  required: true,
  default: "",
  displayOptions: { show },
  ...sent("publish_at", withZone),
});

/** The whole list, or its first entries. */
export const limits = (show: Show): INodeProperties[] => [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: { show },
    routing: {
      send: { paginate: "={{ $value }}" },
      operations: {
        pagination: {
          type: "generic",
          properties: {
            continue: "={{ !!$response.body?.next_cursor }}",
            request: { qs: { limit: 100, cursor: "={{ $response?.body?.next_cursor }}" } },
          },
        },
      },
    },
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { ...show, returnAll: [false] } as never },
    ...asked("limit"),
  },
];

export const postFilters: INodeProperties[] = [
  {
    displayName: "Status",
    name: "status",
    type: "options",
    options: named(["all", "archived", "draft", "published", "scheduled"]),
    default: "all",
    ...asked("status"),
  },
  { displayName: "Tag Key", name: "tag", type: "string", default: "", ...asked("tag") },
];

export const email: INodeProperties = {
  displayName: "Email",
  name: "email",
  type: "string",
  placeholder: "name@email.com",
  required: true,
  default: "",
  ...sent("email"),
};

export const subscriberFields: INodeProperties[] = [
  {
    displayName: "Frequency",
    name: "frequency",
    type: "options",
    options: named(["daily", "instant", "weekly"]),
    default: "instant",
    ...sent("frequency"),
  },
  {
    displayName: "Tag Keys",
    name: "tags",
    type: "string",
    default: "",
    placeholder: "feature, security",
    description: "Only posts with these tags, separated by commas",
    ...sent("tags", listOfNames),
  },
];

export const tagFields: INodeProperties[] = [
  { displayName: "Name", name: "label", type: "string", required: true, default: "", ...sent("label") },
  {
    displayName: "Colour",
    name: "colour",
    type: "options",
    options: named(["blue", "gray", "green", "orange", "purple", "red"]),
    default: "blue",
    ...sent("colour"),
  },
];
