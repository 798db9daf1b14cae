export function complaintAbout(text: string): string | undefined;
export function refusedUiTexts(root: string): string[];
