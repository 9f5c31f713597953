import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from "n8n-workflow";

const maxAgeSeconds = 300;

const namesIn = (list: string): string[] => list.split(",").flatMap((name) => name.trim() || []);

export class TidingsTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Tidings Trigger",
    name: "tidingsTrigger",
    icon: "file:tidings.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something happens in a Tidings workspace",
    defaults: { name: "Tidings Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "tidingsApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["post.published"],
        options: [
          { name: "Post Published", value: "post.published" },
          { name: "Post Scheduled", value: "post.scheduled", description: "The key also needs posts:read" },
          { name: "Post Unpublished", value: "post.unpublished" },
          { name: "Post Updated", value: "post.updated" },
          { name: "Subscriber Confirmed", value: "subscriber.confirmed", description: "The key also needs subscribers:read" },
          { name: "Subscriber Left", value: "subscriber.left", description: "The key also needs subscribers:read" },
        ],
      },
      {
        displayName: "Tag Names or Keys",
        name: "tags",
        type: "string",
        default: "",
        placeholder: "feature, security",
        description: "Only posts with one of these tags, separated by commas",
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = this.getWorkflowStaticData("node");
        const url = this.getNodeWebhookUrl("default");
        if (id === undefined) return false;
        const { webhooks } = (await request.call(this, "GET", "")) as { webhooks: IDataObject[] };
        return webhooks.some((webhook) => webhook.id === id && webhook.url === url && webhook.enabled);
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const tags = namesIn(this.getNodeParameter("tags") as string);
        const body = {
          url: this.getNodeWebhookUrl("default"),
          events: this.getNodeParameter("events"),
          name: `n8n: ${this.getWorkflow().name}`.slice(0, 80),
          ...(tags.length > 0 && { tags }),
        };
        const { webhook, secret } = (await request.call(this, "POST", "", body)) as { webhook: IDataObject; secret: string };
        Object.assign(this.getWorkflowStaticData("node"), { id: webhook.id, secret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        if (data.id === undefined) return true;
        try {
          await request.call(this, "DELETE", `/${String(data.id)}`);
        } catch (error) {
          if (!(error instanceof NodeApiError) || error.httpCode !== "404") return false;
        }
        delete data.id;
        delete data.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const headers = this.getHeaderData() as Record<string, string | undefined>;
    const { rawBody } = this.getRequestObject() as { rawBody?: Buffer };
    const { secret } = this.getWorkflowStaticData("node");
    if (typeof secret !== "string" || rawBody === undefined || !isSigned(secret, headers, rawBody)) {
      this.getResponseObject().status(401).json({ error: "The signature isn't valid" });
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray({ id: headers["webhook-id"], ...this.getBodyData() })] };
  }
}

async function request(this: IHookFunctions, method: IHttpRequestMethods, path: string, body?: IDataObject): Promise<unknown> {
  const { host } = await this.getCredentials("tidingsApi");
  const url = `${String(host).replace(/\/+$/, "")}/api/v1/webhooks${path}`;
  try {
    return await this.helpers.httpRequestWithAuthentication.call(this, "tidingsApi", { method, url, body, json: true });
  } catch (error) {
    throw new NodeApiError(this.getNode(), error as JsonObject);
  }
}

/** Standard Webhooks: two signatures while a secret is being replaced. */
function isSigned(secret: string, headers: Record<string, string | undefined>, body: Buffer): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
