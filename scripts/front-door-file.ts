import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { jsonBodyMaxBytes, mcpBodyMaxBytes, mcpPath, multipartBodyMaxBytes } from "#contract/body-limits.ts";
import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import { securityHeaders } from "../edge-functions/releases/security-headers.ts";
import { caching, hashedName, widgetNames } from "../supabase/local/gateway/caching.ts";
import { pageHeadersWith } from "../supabase/local/gateway/page-headers.ts";
import { type Host, type Route, routes, type Target } from "../supabase/local/gateway/routes.ts";

/** deploy/Caddyfile: the routing table of the embedded gateway in Caddy's syntax, for hosted Supabase or a self-hosted stack. */
export function frontDoor(): string {
  return `${introduction}
${globalOptions}
${snippets()}
(public_surfaces) {
	import every_site
${block(routesOf("workspace"))}
}

{$DOMAIN} {
	import every_site
${block(routesOf("app"))}
}

*.{$DOMAIN} {
	tls {
		{$WORKSPACES_TLS:on_demand}
	}
	import public_surfaces
}

# Every other name: one of a customer's own, if the question above was answered with yes.
https:// {
	tls {
		on_demand
	}
	import public_surfaces
}
`;
}

const introduction = `# The front door: one origin for the web app, the functions and Supabase's services, every workspace's own address below it, and the names
# that workspaces have of their own.
# Made by scripts/front-door.ts from supabase/local/gateway/routes.ts, and a test compares: change those, then "npm run front-door".
# The environment is described in deploy/.env.example.`;

/**
 * Certificates only for workspaces that show their changelog. The function answers with its own header, because proxies send 404s, too. Without
 * that answer, names with a certificate pass: newer Caddy versions ask again before they renew. `ask` works in 2.6 and newer.
 */
const globalOptions = `{
	# Who sends half a request is not waited for; five megabytes over a slow line take minutes.
	servers {
		timeouts {
			read_header 10s
			read_body 5m
			idle 2m
		}
	}
	on_demand_tls {
		ask http://127.0.0.1:{$ASK_PORT:2020}/
	}
	{$CADDY_OPTIONS}
}

http://127.0.0.1:{$ASK_PORT:2020} {
	bind 127.0.0.1
	rewrite * /functions/v1/releases/_${hostQuestion}?domain={query.domain}
	reverse_proxy {$SUPABASE_URL} {
		header_up Host {upstream_hostport}
		header_up Forwarded "host={query.domain}"
		header_up X-Forwarded-Host {query.domain}
		transport http {
			dial_timeout 3s
			response_header_timeout 5s
		}
		@known_host header ${hostAnswer.header} ${hostAnswer.known}
		handle_response @known_host {
			respond 200
		}
		@unknown_host header ${hostAnswer.header} ${hostAnswer.unknown}
		handle_response @unknown_host {
			respond 404
		}
		handle_response {
			error 503
		}
	}
	handle_errors {
		@known file {
			root {$CERTIFICATES:/var/lib/caddy/.local/share/caddy/certificates}
			try_files /*/{query.domain}/{query.domain}.crt
		}
		handle @known {
			respond 200
		}
		respond 503
	}
}
`;

const { "content-security-policy": policy, ...alwaysSame } = securityHeaders("https:");

const snippets = () => `(safe_headers) {
	header ?X-Content-Type-Options nosniff
	header ?Strict-Transport-Security max-age=31536000
	header {
		X-Request-Id {http.request.uuid}
		-Server
		defer
	}
}

(every_site) {
	encode zstd gzip
	import safe_headers
	handle_errors {
		import safe_headers
${["body_too_large", "not_found", "method_not_allowed"].map((code) => refusal(code as ErrorCode)).join("\n")}
		header Content-Type application/json
		header Cache-Control no-store
		header Retry-After 1
		respond ${quoted(bodyOf("unavailable"))} ${errorCatalogue.unavailable.status}
	}
}

# What says that it is too large is refused at once; what does not say its length is cut off when it has grown too large.
(body_limits) {
	@file header_regexp Content-Type ^(multipart|image)/
	@text {
		not header_regexp Content-Type ^(multipart|image)/
		not path ${mcpPath}
	}
	@message {
		not header_regexp Content-Type ^(multipart|image)/
		path ${mcpPath}
	}
	@large_file {
		header_regexp Content-Type ^(multipart|image)/
		expression ${longerThan(multipartBodyMaxBytes)}
	}
	@large_text {
		not header_regexp Content-Type ^(multipart|image)/
		not path ${mcpPath}
		expression ${longerThan(jsonBodyMaxBytes)}
	}
	@large_message {
		not header_regexp Content-Type ^(multipart|image)/
		path ${mcpPath}
		expression ${longerThan(mcpBodyMaxBytes)}
	}
	error @large_file 413
	error @large_text 413
	error @large_message 413
	request_body @file {
		max_size ${multipartBodyMaxBytes}
	}
	request_body @text {
		max_size ${jsonBodyMaxBytes}
	}
	request_body @message {
		max_size ${mcpBodyMaxBytes}
	}
}

# Behind a CDN whom it names last, as the client may have written what stands before. Caddy 2.6 knows no {client_ip}, and that of newer ones is the
# first of them.
(caller) {
	@by_cdn {
		remote_ip {$CDN_RANGES}
		vars_regexp caller {http.request.header.X-Forwarded-For} ([0-9a-fA-F.:]+)\\s*$
	}
	vars caller {http.request.remote.host}
	vars @by_cdn caller {http.regexp.caller.1}
}

# Kong, in front of hosted Supabase, writes X-Forwarded-Host itself; Forwarded comes through. Of what a CDN in front says, only the
# client's address is handed on. Sb-Forwarded-For is what the auth service's limits count by; nobody outside may write it.
(handed_on) {
	trusted_proxies {$CDN_RANGES}
	header_up Host {upstream_hostport}
	header_up Forwarded "host={http.request.hostport};proto={scheme}"
	header_up X-Forwarded-Host {http.request.hostport}
	header_up X-Forwarded-Proto {scheme}
	header_up X-Request-Id {http.request.uuid}
	header_up Sb-Forwarded-For {http.vars.caller}
	transport http {
		response_header_timeout {$PATIENCE:60s}
		dial_timeout 3s
	}
}
(supabase) {
	reverse_proxy {$SUPABASE_URL} {
		import handed_on
	}
}

# Hosted functions send pages as text/plain under a policy that forbids everything: both are set right again. Each workspace's style is its own,
# so the function says the page's policy a second time under a name that nobody on the way knows. An answer that only says "unchanged" leaves the
# policy in force that came with the page.
(releases) {
	@page path_regexp (?i)^/releases(?:[^.]*|/subscribe\\.html)$
	@secret path /releases/subscription/* /releases/preview/*
	# the address is the key
	header @secret {
		referrer-policy "no-referrer"
		defer
	}
	header @page {
		Content-Type ^text/plain.*$ "text/html; charset=utf-8"
		defer
	}
	header {
${Object.entries(alwaysSame)
  .map(([name, value]) => `\t\t${name} ${quoted(value)}`)
  .join("\n")}
		defer
	}
	reverse_proxy {$SUPABASE_URL} {
		import handed_on
		@own_policy header X-Page-Policy *
		handle_response @own_policy {
			header {
				Content-Security-Policy {http.reverse_proxy.header.X-Page-Policy}
				-X-Page-Policy
				defer
			}
			copy_response
		}
		@unchanged status 304
		handle_response @unchanged {
			header {
				-Content-Security-Policy
				defer
			}
			copy_response
		}
		handle_response {
			header {
				Content-Security-Policy ${quoted(policy!)}
				defer
			}
			copy_response
		}
	}
}

# Files that "npm run build" has made; names with a hash never change.
(files) {
	root * {$FILES:dist}/{args.0}
	@writing not method GET HEAD
	@hashed path_regexp ${hashedName.source}
	@widget path ${widgetNames.join(" ")}
	route {
		header @writing Allow "GET, HEAD"
		error @writing 405
		header Cache-Control "${caching.other}"
		header @hashed Cache-Control "${caching.hashed}"
		header @widget Cache-Control "${caching.widget}"
		file_server {
			precompressed br gzip
		}
	}
}

(page_headers) {
	header {args.0} {
${Object.entries(pageHeadersWith({ scripts: "{$SCRIPT_SOURCES}", frames: "{$FRAME_SOURCES:'none'}" }))
  .map(([name, value]) => `\t\t${name} ${quoted(value)}`)
  .join("\n")}
	}
}
`;

const contentLength = "{http.request.header.Content-Length}";
const longerThan = (bytes: number): string => `\`${contentLength}.matches("^[0-9]+$") && int(${contentLength}) > ${bytes}\``;

const quoted = (text: string): string => (text.includes('"') ? `\`${text}\`` : `"${text}"`);
const bodyOf = (code: ErrorCode): string => JSON.stringify({ error: errorCatalogue[code].sentence, code });

function refusal(code: ErrorCode): string {
  const { status } = errorCatalogue[code];
  return `		@${code} expression {http.error.status_code} == ${status}
		header @${code} Content-Type application/json
		header @${code} Cache-Control no-store
		respond @${code} ${quoted(bodyOf(code))} ${status}`;
}

const routesOf = (host: Host): Route[] => routes.filter((route) => route.host === host || route.host === "any");

/** "route" keeps the order: as in the table, the first match decides. */
function block(table: Route[]): string {
  const handles = table.map((route, index) => `${matcherOf(route.path, `r${index}`)}${linesOf(route.target)}\n\t\t}`);
  return `	route {\n\t\timport body_limits\n\t\timport caller\n${handles.join("\n")}\n	}`;
}

function matcherOf(pattern: string, name: string): string {
  if (pattern === "*") return "\t\thandle {\n";
  const paths = pattern.endsWith("/*") ? `${pattern.slice(0, -2)} ${pattern}` : pattern;
  return `\t\t@${name} path ${paths}\n\t\thandle @${name} {\n`;
}

function linesOf(target: Target): string {
  const lines = (...all: string[]) => all.map((line) => `\t\t\t${line}`).join("\n");
  switch (target.kind) {
    case "function":
      return lines(...toFunction(target.name, target.below), target.name === "releases" ? "import releases" : "import supabase");
    case "service":
      return lines(...(target.forOtherSites ? ["header >Cross-Origin-Resource-Policy cross-origin"] : []), "import supabase");
    case "function-by-name":
      return lines("import supabase");
    case "health":
      return lines("rewrite * /functions/v1/api/health", "import supabase");
    case "redirect":
      return lines("route {", `\trewrite * ${target.to}`, "\tredir * {uri} 302", "}"); // Caddy keeps the query of a rewritten address
    case "nothing":
    case "dev":
      return lines("error 404");
    case "static":
      return lines(...toFiles(target));
  }
}

/** Hosted Supabase removes /functions/v1 and starts the function named next, which sees the path from its own name on. */
function toFunction(name: string, below = ""): string[] {
  if (name === "presence") return ["uri replace /ws/ /functions/v1/ 1"];
  if (name === "api") return [`rewrite * /functions/v1${below}{uri}`];
  return [`rewrite * /functions/v1/${name}/_{uri}`];
}

function toFiles({ folder, fallback }: Extract<Target, { kind: "static" }>): string[] {
  if (!fallback)
    return ['header Access-Control-Allow-Origin "*"', "header Cross-Origin-Resource-Policy cross-origin", `import files ${folder}`];
  return [
    "@page path_regexp (/[^/.]*|[.]html)$",
    "@nowhere path_regexp ^/assets/[^.]*$",
    "error @nowhere 404",
    `rewrite @page ${fallback}`,
    "import page_headers @page",
    `import files ${folder}`,
  ];
}
