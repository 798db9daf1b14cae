import type { Workbench } from './workbench.ts';

export interface PressedKey {
  readonly pressedAtMs: number;
  readonly shownAtMs: number;
}

/** Presses a key in the visible terminal. @returns when the page received it and showed a text */
export async function pressAndWatch(
  workbench: Workbench,
  key: string,
  text: string,
): Promise<PressedKey> {
  const { page } = workbench;
  await workbench.type('');
  await page.evaluate(`
    window.watchedKey = new Promise((resolve, reject) => {
      const rows = document.querySelector('.terminal-wrapper.active .xterm-rows');
      let pressedAtMs;
      const isShown = () => rows.textContent.replaceAll('\\u00a0', ' ').includes(${JSON.stringify(text)});
      const observer = new MutationObserver(() => {
        if (pressedAtMs === undefined || !isShown()) return;
        observer.disconnect();
        resolve({ pressedAtMs, shownAtMs: performance.timeOrigin + performance.now() });
      });
      observer.observe(rows, { childList: true, subtree: true, characterData: true });
      addEventListener('keydown', ({ key, timeStamp }) => {
        if (key !== 'Control') pressedAtMs ??= performance.timeOrigin + timeStamp;
      }, { capture: true });
      setTimeout(() => reject(new Error('Never shown: ' + ${JSON.stringify(text)})), 20000);
    });
    undefined`);
  await page.keyboard.press(key);
  return page.evaluate<PressedKey>('window.watchedKey');
}
