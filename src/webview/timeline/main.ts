import './pageLanguage.ts';
import { vsCodeApi } from '../vscodeApi.ts';
import { actionOf } from './keys.ts';
import './style.css';
import { TimelineApp } from './timelineApp.ts';

const app = new TimelineApp(vsCodeApi(), document.body.dataset['recording'] ?? '');

// Handles keys in the capture phase, before the terminal gets them.
addEventListener(
  'keydown',
  (event) => {
    const target = event.target as HTMLElement;
    // A click on the recorded terminal focuses its text area, which takes no input.
    if (target.closest('input[type="text"], textarea:not(.player *), select, dialog')) return;
    // Space and Enter press the focused button.
    if (target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')) return;
    const action = actionOf(event);
    if (!action) return;
    app.navigation.do(action);
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

void app.start();
