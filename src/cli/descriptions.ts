// Help texts that several commands share.

export const SESSION_ID = 'ID of the session, or the beginning or end of it';
export const SNAPSHOT_NUMBER = 'Number of the snapshot';
export const BRANCH_NAME = 'Name, folder or ID of the branch';
export const JSON_OUTPUT = 'Print JSON';
