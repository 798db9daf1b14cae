/** How much longer things take here than where the time limits were set: measured by `scripts/testing/machinePace.mjs`. */
export const pace = Number(process.env['AH_PACE'] ?? 1);
