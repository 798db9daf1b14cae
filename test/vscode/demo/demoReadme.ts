/** The README of the demo folder. */
export const DEMO_README = `# AH Time Travel: the demo

A mock agent repairs a flaky test in this folder. It needs no account and no network; what it does to the files is real. Every byte it prints and
every change of the files is recorded.

1. **Answer its question** in the terminal: \`y\`.
2. **Watch the timeline** beside it. After a minute the agent goes wrong: it changes the test instead of the code.
3. **Click that moment** (*The quickest way to green…*), press \`i\`, and type what it should have done: *Fix the pool, not the test*.
   Choose *Branch in a New Window*: the agent goes on there, with the files and the conversation of that moment.
4. **Reload this window** (F1, *Reload Window*). The agent goes on, and its terminal comes back.
5. **Record your own agent**: F1, *AH: Record Agent…*.
`;
