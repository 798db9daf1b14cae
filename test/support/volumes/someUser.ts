/** A user of no rights, who owns nothing but what tests give. */
export const SOME_USER = 12345;
