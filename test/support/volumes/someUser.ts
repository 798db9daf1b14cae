/** A user without privileges, who owns only the files that tests give them. */
export const SOME_USER = 12345;
