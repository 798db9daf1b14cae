/** Whether tests run in their long form. `npm run test:soak` runs only the files that import this. */
export const isSoak = process.env['AH_SOAK'] === '1';
