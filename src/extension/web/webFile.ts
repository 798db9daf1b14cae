import { ReceivedFile } from '../../terminal/lines/receivedFile.ts';
import type { WorkspaceFile } from '../workspaceFile.ts';

/** A file that VS Code reads as a whole and this class keeps in memory. */
export class WebFile extends ReceivedFile {
  readonly #file: WorkspaceFile;

  constructor(file: WorkspaceFile) {
    super();
    this.#file = file;
  }

  override async follow(): Promise<void> {
    const bytes = await this.#file.readIfChanged();
    if (bytes) this.receive(bytes);
  }
}
