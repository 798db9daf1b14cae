/** What a newcomer reads beside the session. */
export const DEMO_README = `# AH Time Travel: the demo

In the terminal below an agent repairs a flaky test. It is a mock: it needs no account and no network; what it does to the files of this folder is real.
Everything that it prints is being recorded.

1. **Reload this window** while it works (F1, *Reload Window*). The agent goes on, and comes back with its screen.
2. **Click the clock in the bar on the left.** The sessions are listed there, those that run first.
3. **Click the session** once it has ended: its lines, with the moments that one can go back to.
4. **Record something of your own**: F1, *AH: Record Agent*.
`;
