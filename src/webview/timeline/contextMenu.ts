import type { PageMoment } from '../../timeline/common/moments/moment.ts';
import { snapshotOf, targetOf } from './moments/listRows.ts';
import type { TimelineModel } from './timelineModel.ts';

export interface MenuPlaces {
  readonly model: TimelineModel;
  /** The last snapshot up to the player's position. */
  readonly snapshotHere: () => PageMoment | undefined;
  /**
   * The time under the pointer on the scrubber; opening the menu there also moves the player to it.
   */
  readonly scrubberTime: (event: MouseEvent) => number;
  /** Stops playing: the entries act on the position at which the menu was opened. */
  readonly pause: () => void;
}

/**
 * Whether a context menu was opened with the pointer. If it was opened with a key, the position of
 * the event is the middle of the element.
 */
export function isAtPointer({ button, ctrlKey }: MouseEvent): boolean {
  // On macOS, Ctrl+click opens the menu.
  return button === 2 || ctrlKey;
}

/**
 * Tells VS Code's context menu what was clicked: a row of the list, or else the player's position.
 * The entries of the menu are in package.json; their commands get this context as an argument.
 */
export function provideMenuContext(places: MenuPlaces): void {
  addEventListener(
    'contextmenu',
    (event) => {
      const context = contextOf(event, places);
      document.body.dataset['vscodeContext'] = JSON.stringify(context);
    },
    // Runs before VS Code reads the attribute.
    { capture: true },
  );
}

function contextOf(event: MouseEvent, places: MenuPlaces): Readonly<Record<string, unknown>> {
  const { model } = places;
  const target = event.target as HTMLElement;
  // In text boxes, the menu has VS Code's own entries.
  if (target.closest('input, textarea')) return {};
  const base = { preventDefaultContextMenuItems: true };
  const { sessionId } = model.session;
  const row = model.rowOf(target.closest<HTMLElement>('.moment')?.dataset['id']);
  const isScreen = target.closest('.player') !== null;
  const isScrubber = target.closest('.track') !== null;
  if (!isScreen && !isScrubber && !row) return base;
  if (!row) places.pause();
  const snapshot = row
    ? snapshotOf(row)
    : isScrubber && isAtPointer(event)
      ? snapshotAt(model, places.scrubberTime(event))
      : places.snapshotHere();
  const snapshotId = snapshot?.snapshotId;
  return {
    ...base,
    // The conditions in package.json use the following three.
    ahMoment: sessionId !== null && !model.hasNoFiles,
    ahScreen: isScreen,
    ahSnapshot: sessionId !== null && snapshotId !== undefined,
    recording: document.body.dataset['recording'],
    momentId: row ? targetOf(row).id : null,
    ...(sessionId !== null && { meta: { id: sessionId } }),
    ...(snapshotId !== undefined && { snapshotId }),
  };
}

function snapshotAt({ moments }: TimelineModel, atMs: number): PageMoment | undefined {
  return moments.findLast(({ snapshotId, timeMs }) => snapshotId !== undefined && timeMs <= atMs);
}
