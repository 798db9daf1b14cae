import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { setContextKey } from '../contextKeys.ts';
import { COMMANDS, CONTEXT_KEYS, VIEWS } from '../contributions.ts';
import { closeDiffs, openAllDiffs } from './reviewDiffs.ts';
import { REVIEW_SCHEME, ReviewFileSystem, type ReviewedFiles } from './reviewFileSystem.ts';
import { applyItem, fileItem } from './reviewItem.ts';
import { ReviewSelection, type ReviewFile } from './reviewSelection.ts';

/** Changes of the workspace that wait for the user's review. */
export interface ReviewRequest extends ReviewedFiles {
  /** What the review is about: `Restore to “Session start”`. */
  readonly title: string;
  /** The consequences of applying, as sentences. */
  readonly detail: string;
  readonly files: readonly ReviewFile[];
  apply(checked: ReadonlySet<string>): Promise<void>;
  /** Releases resources after Apply or Cancel. */
  dispose?(): void;
}

interface OpenReview extends ReviewRequest {
  readonly id: string;
  readonly selection: ReviewSelection;
}

/** A view of the side bar that a review can replace. */
export interface ReplacedView {
  readonly isVisible: boolean;
  show(): Promise<void>;
}

const APPLY = 'apply';
type Row = typeof APPLY | ReviewFile;

/**
 * The view “Review”: the changes of a restore or of a branch, with check boxes and diffs, until the
 * user applies or cancels them. It shows one review at a time. It has a view container to itself: a
 * view beside others may get as little as 140 px from VS Code, and shows its buttons only on hover.
 */
export class ReviewView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #files = new ReviewFileSystem();
  readonly #view: vscode.TreeView<Row>;
  readonly #resources: vscode.Disposable;
  #open: OpenReview | undefined;
  #list: ReplacedView | undefined;
  /** Whether the open review took the place of the list. */
  #hidesList = false;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor() {
    this.#view = vscode.window.createTreeView<Row>(VIEWS.review, {
      treeDataProvider: this,
      manageCheckboxStateManually: true,
    });
    const system = this.#files;
    this.#resources = vscode.Disposable.from(
      this.#view,
      this.#changes,
      vscode.workspace.registerFileSystemProvider(REVIEW_SCHEME, system, { isReadonly: true }),
      this.#view.onDidChangeCheckboxState(({ items }) => this.#check(items)),
    );
  }

  /** Sets the list to return to after a review that was opened while it was visible. */
  setList(list: ReplacedView): void {
    this.#list = list;
  }

  /** Shows a review without blocking the window. Cancels a review that is open. */
  async show(request: ReviewRequest): Promise<void> {
    await this.cancel();
    const { workspace, result, title, detail } = request;
    const id = randomBytes(4).toString('hex');
    this.#open = { ...request, id, selection: new ReviewSelection(request.files) };
    this.#files.add(id, { workspace, result });
    this.#hidesList = this.#list?.isVisible === true;
    this.#view.title = title;
    this.#view.message = detail;
    await setContextKey(CONTEXT_KEYS.isReviewing, true);
    this.#changes.fire();
    await this.showDiffs();
    await vscode.commands.executeCommand(`${VIEWS.review}.focus`);
  }

  /** Opens all changes in one editor. */
  async showDiffs(): Promise<void> {
    if (this.#open) await openAllDiffs(this.#open);
  }

  /** Applies the checked changes. */
  async apply(): Promise<void> {
    const review = this.#open;
    if (!review || review.selection.checked.size === 0) return;
    await this.#end(review, () => review.apply(review.selection.checked));
  }

  async cancel(): Promise<void> {
    const review = this.#open;
    if (review) await this.#end(review, () => Promise.resolve());
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const review = this.#open;
    if (!review) return new vscode.TreeItem('');
    return row === APPLY ? applyItem(review.selection) : fileItem(review, row, review.selection);
  }

  getChildren(row?: Row): Row[] {
    return row || !this.#open ? [] : [APPLY, ...this.#open.files];
  }

  dispose(): void {
    this.#open?.dispose?.();
    this.#resources.dispose();
  }

  #check(items: readonly [Row, vscode.TreeItemCheckboxState][]): void {
    for (const [row, state] of items)
      if (row !== APPLY)
        this.#open?.selection.set(row, state === vscode.TreeItemCheckboxState.Checked);
    this.#changes.fire();
  }

  async #end(review: OpenReview, act: () => Promise<void>): Promise<void> {
    // Clear `#open` first, so that a second click does nothing.
    this.#open = undefined;
    try {
      // Show the list first: once the review disappears, VS Code would show the Explorer.
      if (this.#hidesList && this.#view.visible) await this.#list?.show();
      await setContextKey(CONTEXT_KEYS.isReviewing, false);
      await act();
    } finally {
      await closeDiffs(review.title);
      this.#files.remove(review.id);
      review.dispose?.();
    }
  }
}

/** The handlers of the view's commands. */
export function reviewCommands(view: ReviewView) {
  return {
    [COMMANDS.applyReview]: () => view.apply(),
    [COMMANDS.cancelReview]: () => view.cancel(),
    [COMMANDS.showReviewChanges]: () => view.showDiffs(),
  };
}
