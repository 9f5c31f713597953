import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

export class TidingsApi implements ICredentialType {
  name = "tidingsApi";
  displayName = "Tidings API";
  icon: Icon = "file:../nodes/Tidings/tidings.svg";
  documentationUrl = "https://github.com/your-org/tidings/blob/main/docs/connectors.md";

  properties: INodeProperties[] = [
    {
      displayName: "Host",
      name: "host",
      type: "string",
      required: true,
      default: "",
      placeholder: "https://tidings.example.com",
      description: "Address of your Tidings, without a path",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      required: true,
      default: "",
      description: "Create one in the workspace settings, under API keys",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = { request: { baseURL: "={{$credentials.host}}", url: "/api/v1/key" } };
}
