import type { Session } from "@supabase/supabase-js";
import { authEndpoints } from "#contract/auth.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { atSteadyTime } from "#contract/rules/steady-time.ts";
import { removeDiscardedFiles } from "../../_shared/discarded-files.ts";
import type { Binder } from "../../_shared/handle.ts";
import { AppError } from "../../_shared/errors.ts";
import { checkSignUp, createAccountByLink, rememberInvite, spendOnce, undoCredentialChange } from "../../_shared/waiting-accounts.ts";
import {
  beginOAuth,
  changePassword,
  endOAuth,
  createSignUpOfferReader,
  deleteAccount,
  requestEmailChange,
  requireCurrentPassword,
  sendConfirmationAgain,
  sendEmailChangeLink,
  sendResetLink,
  signIn,
  signOut,
  signUp,
  spendLink,
  takeBackEmail,
} from "./queries.ts";
import { takeSignOutUrl } from "../identity/sign-on-cookies.ts";
import { refuseCommonPassword } from "./common-passwords.ts";
import { allowNewPassword, forbidNewPassword, isNewPasswordAllowed } from "./reset-mark.ts";
import { hexHashOf, keepMark, keepMarkLonger, newMark } from "./sign-up-mark.ts";
import { startSession, welcome } from "./welcome.ts";

/** Longer than hashing a password or sending an email takes. */
const stepMs = 400;

const personOf = ({ access_token: token, user }: Session) => ({ id: user.id, email: user.email ?? "", token });

export function bindAuth({ open, signedIn, readSession }: Binder): void {
  const readSignUpOffer = createSignUpOfferReader();

  open(authEndpoints.login, async ({ env, cookies, headers, body }) => {
    if (!("email" in body)) {
      return { workspaceId: null, user: null, url: await beginOAuth({ env, cookies, headers }, body.provider, body.next) };
    }
    cookies.remember(body.remember);
    const session = await atSteadyTime(stepMs, () => signIn({ env, cookies, headers }, body));
    return await welcome({ env, headers }, personOf(session));
  });

  open(authEndpoints.oauth, async ({ env, cookies, headers, query }) => {
    return { location: await beginOAuth({ env, cookies, headers }, query.provider, query.next) };
  });

  open(authEndpoints.callback, async ({ env, cookies, headers, body }) => {
    const session = await endOAuth({ env, cookies, headers }, body.code);
    return { success: true as const, ...(await welcome({ env, headers }, personOf(session))) };
  });

  open(authEndpoints.reset, async ({ env, headers, body, silentlyLimited }) => {
    await atSteadyTime(stepMs, async () => silentlyLimited || (await sendResetLink({ env, headers }, body.email, body.captchaToken)));
    return { success: true as const };
  });

  open(authEndpoints.resend, async ({ env, cookies, headers, body, silentlyLimited }) => {
    await atSteadyTime(
      stepMs,
      async () => silentlyLimited || (await sendConfirmationAgain({ env, headers }, body.email, body.captchaToken)),
    );
    keepMarkLonger({ env, cookies });
    return { success: true as const };
  });

  open(authEndpoints.signup, async ({ env, cookies, headers, body }) => {
    const { email, password, captchaToken, fullName, companyName, token } = body;
    refuseCommonPassword(password, email);
    if (token !== undefined && (await createAccountByLink(env, { token, email, password, full_name: fullName }))) {
      const session = await signIn({ env, cookies, headers }, { email, password, captchaToken });
      await startSession({ env, headers }, personOf(session));
      return { success: true as const, confirmed: true as const };
    }
    await checkSignUp(env, email, token ?? null);
    const { mark, hash } = await newMark();
    const data = {
      full_name: fullName,
      company_name: token ? undefined : companyName,
      signup_browser: hash,
      invitation: token && (await hexHashOf(token)),
    };
    await atSteadyTime(stepMs, async () => {
      await signUp({ env, headers }, { email, password, captchaToken, data });
      await rememberInvite(env, email, token ?? null);
    });
    keepMark({ env, cookies }, mark);
    return { success: true as const };
  });

  open(authEndpoints.verify, async ({ env, cookies, headers, body }) => {
    const { session, hasPassword } = await spendOnce(env, body.token_hash, () => spendLink({ env, cookies, headers }, body));
    if (session === null) return { success: true as const, user: null, choosePassword: false };
    if (body.type === "recovery" || !hasPassword) await allowNewPassword({ env, cookies }, session.access_token);
    const { user, second_factor } = await welcome({ env, headers }, personOf(session));
    return { success: true as const, user, second_factor, choosePassword: !hasPassword };
  });

  open(authEndpoints.undoEmailChange, async ({ env, body }) => {
    return { success: true as const, email: await takeBackEmail(env, body.token) };
  });

  open(authEndpoints.undoChange, async ({ env, body }) => {
    if (!(await undoCredentialChange(env, body.token, body.confirm))) throw new AppError("link_invalid");
    return { success: true as const };
  });

  signedIn(profileEndpoints.changeEmail, async ({ db, user, env, headers, body }) => {
    await atSteadyTime(stepMs, async () => {
      await requestEmailChange(db, body);
      await sendEmailChangeLink({ env, headers }, user.token, body.email);
    });
    return { success: true as const };
  });

  signedIn(profileEndpoints.changePassword, async ({ db, user, env, cookies, headers, body }) => {
    refuseCommonPassword(body.password, user.email);
    const isAllowed = await isNewPasswordAllowed({ env, cookies }, user.token);
    if (!isAllowed) await requireCurrentPassword(db, body.currentPassword);
    await changePassword({ env, headers }, user.token, body.password);
    if (isAllowed) forbidNewPassword({ env, cookies });
    return { success: true as const };
  });

  signedIn(profileEndpoints.remove, async ({ db, env, cookies, body }) => {
    await deleteAccount(db, body.password);
    cookies.clear();
    await removeDiscardedFiles(env);
    return { success: true as const };
  });

  open(authEndpoints.logout, async ({ env, cookies, headers }) => {
    const token = await signOut({ env, cookies, headers }, readSession);
    const url = token && (await takeSignOutUrl(env, cookies, token));
    return { success: true as const, ...(url && { url }) };
  });

  open(authEndpoints.config, async ({ env }) => ({
    supabaseKey: env.publishableKey,
    host: new URL(env.publicUrl).host,
    captchaSiteKey: env.captchaSiteKey,
    analyticsSrc: env.analyticsSrc,
    oauthProviders: [...env.oauthProviders],
    signUp: await readSignUpOffer(env),
  }));
}
