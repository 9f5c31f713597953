import { Secret, TOTP } from "otpauth";
import { hexHashOf } from "../accounts/sign-up-mark.ts";

const periodSeconds = 30;
const codeCount = 10;
const codeBytes = 10;

/** 160 bits in base32, as RFC 4226 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** For a QR code: otpauth://totp/Tidings:ada@example.com?… */
export const uriOf = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The time step of the code, with one step of clock skew; null if it doesn't match. `now` in ms. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!isTotp(code)) return null; // the library also takes other digits than ASCII's
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1_000 / periodSeconds) + delta;
}

const totpOf = (secret: string, label = "") => new TOTP({ issuer: "Tidings", label, secret, period: periodSeconds });

export const newRecoveryCodes = (): string[] => Array.from({ length: codeCount }, newRecoveryCode);

export function newRecoveryCode(): string {
  const code = new Secret({ size: codeBytes }).base32.toLowerCase();
  return code.match(/.{4}/g)!.join("-");
}

/** Of a code as people type it. */
export const hashOfRecoveryCode = (code: string): Promise<string> => hexHashOf(code.replaceAll("-", ""));

export const isTotp = (code: string): boolean => /^\d{6}$/.test(code);
