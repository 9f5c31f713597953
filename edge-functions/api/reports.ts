import { mailAddress } from "#contract/mail-address.ts";
import { reportEndpoints, type ReportRecipient, type Reports } from "#contract/reports.ts";
import type { Database } from "../_shared/clients.ts";
import { AppError } from "../_shared/errors.ts";
import type { Binder } from "../_shared/handle.ts";
import { sendMail } from "../_shared/mail.ts";
import { Outbox } from "../_shared/outbox.ts";
import { reportMail } from "./outbox/report-mail.ts";
import { json, rows } from "./result.ts";

export function bindReports({ signedIn, open }: Binder): void {
  signedIn(reportEndpoints.read, ({ db, params }) => readReports(db, params.workspaceId));

  signedIn(reportEndpoints.add, async ({ db, params, body: { email } }) => {
    const args = { workspace_id: params.workspaceId, email: mailAddress(email) ?? email };
    return await json<{ added: boolean; recipient: ReportRecipient }>(db.rpc("add_report_recipient", args));
  });

  signedIn(reportEndpoints.remove, async ({ db, params }) => {
    await rows(db.rpc("remove_report_recipient", { workspace_id: params.workspaceId, recipient: params.recipientId }));
    return { success: true as const };
  });

  signedIn(reportEndpoints.setMine, async ({ db, params, body: { gets } }) => {
    return { success: true as const, mine: await rows(db.rpc("set_my_report", { workspace_id: params.workspaceId, gets })) };
  });

  signedIn(reportEndpoints.preview, async ({ db, params: { workspaceId }, env, user: { email } }) => {
    const { last_month: month } = await readReports(db, workspaceId);
    const about = db.from("workspaces").select("name, subdomain, logo_url").eq("id", workspaceId).single();
    const [{ name, subdomain, logo_url }, numbers] = await Promise.all([rows(about), new Outbox(env).month(workspaceId, month)]);
    const report = {
      id: crypto.randomUUID(),
      email,
      workspace_id: workspaceId,
      workspace_name: name,
      subdomain,
      logo_url: logo_url ?? "",
      month,
    };
    return { sent: await sendMail(env, reportMail({ ...report, token: null }, numbers, env.publicUrl)), to: email };
  });

  open(reportEndpoints.openLink, ({ env, params }) => Promise.resolve({ location: `${env.publicUrl}/reports/${params.token}` }));

  open(reportEndpoints.link, async ({ env, params }) => {
    const link = await new Outbox(env).reportLink(params.token);
    if (link === null) throw new AppError("not_found");
    return link;
  });

  open(reportEndpoints.change, async ({ env, params, query }) => {
    if (!(await new Outbox(env).changeReport(params.token, query.action))) throw new AppError("not_found");
    return { success: true as const };
  });
}

const readReports = (db: Database, workspaceId: string): Promise<Reports> =>
  json(db.rpc("workspace_reports", { workspace_id: workspaceId }));
