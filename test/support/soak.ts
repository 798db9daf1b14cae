/** Whether tests take their long form. `npm run test:soak` runs all files that import this, and no others. */
export const isSoak = process.env['AH_SOAK'] === '1';
