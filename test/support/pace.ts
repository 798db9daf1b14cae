/** How much slower this machine is than the one the time limits are for; see `machinePace.mjs`. */
export const pace = Number(process.env['AH_PACE'] ?? 1);
