/** Zod would try `new Function` once, which the pages' Content-Security-Policy refuses and reports. Comes before any schema. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
