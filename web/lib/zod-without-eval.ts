/** Content-Security-Policy: zod would try `new Function`, which is blocked and reported. Import before any schema. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
