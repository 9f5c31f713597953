import { mcpResource } from "#contract/mcp/endpoint.ts";
import { assistantScopes } from "#contract/oauth.ts";

export const protectedResource = (publicUrl: string) => ({
  resource: mcpResource(publicUrl),
  authorization_servers: [publicUrl],
  scopes_supported: assistantScopes,
  bearer_methods_supported: ["header"],
  resource_name: "Tidings",
});

/** RFC 8414. Clients are identified by metadata documents; no registration. */
export const authorizationServer = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${publicUrl}/api/oauth/token`,
  revocation_endpoint: `${publicUrl}/api/oauth/revoke`,
  scopes_supported: assistantScopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  protected_resources: [mcpResource(publicUrl)],
});
