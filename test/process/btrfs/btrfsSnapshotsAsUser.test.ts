import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { SOME_USER } from '../../support/volumes/someUser.ts';
import { UserProgram } from '../../support/volumes/userProgram.ts';

const entry = path.resolve(import.meta.dirname, '../../support/volumes/contractMain.ts');

describe('snapshots on Btrfs as an ordinary user', function () {
  this.timeout(60_000);
  let program: UserProgram;

  before(() => (program = new UserProgram(entry)) && undefined);
  after(() => program.dispose());

  describe('who may delete subvolumes', () => {
    const elsewhere = useTemporaryFolder();
    const disk = useBtrfsDisk({ sizeMib: 512, mountOptions: 'user_subvol_rm_allowed' });

    it('fulfil the contract in a subvolume of the user', () => {
      const home = disk.current.subvolume('home', SOME_USER);
      const workspace = disk.current.folderOf('home/project', SOME_USER);
      const answer = program.run(['btrfs', workspace, `${home}/data`, home], SOME_USER);
      assert.equal(answer, 'the contract holds');
      assert.deepEqual(disk.current.subvolumes(), ['home', 'home/data/.ah-snapshots']);
    });

    it('fulfil the contract if the workspace is the subvolume', () => {
      const home = disk.current.folderOf('home', SOME_USER);
      const workspace = disk.current.subvolume('home/project', SOME_USER);
      fs.chownSync(elsewhere.path, SOME_USER, SOME_USER);
      const answer = program.run(['btrfs', workspace, elsewhere.path, home], SOME_USER);
      assert.equal(answer, 'the contract holds');
      assert.deepEqual(disk.current.subvolumes(), ['home/.ah-snapshots', 'home/project']);
    });

    it("are refused with a reason in another user's subvolume, leaving nothing behind", () => {
      disk.current.subvolume('home');
      const workspace = disk.current.folderOf('home/project', SOME_USER);
      const data = disk.current.folderOf('home/data', SOME_USER);
      assert.match(
        program.run(['btrfs', workspace, data, workspace], SOME_USER),
        /^refused: Only the owner of the Btrfs subvolume .*\/home may take snapshots of it/,
      );
      assert.deepEqual(disk.current.subvolumes(), ['home']);
      assert.deepEqual([...fs.readdirSync(workspace), ...fs.readdirSync(data)], []);
    });
  });

  describe('who may not delete subvolumes', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('are refused with a reason, leaving nothing behind', () => {
      const home = disk.current.subvolume('home', SOME_USER);
      const workspace = disk.current.folderOf('home/project', SOME_USER);
      assert.match(
        program.run(['btrfs', workspace, `${home}/data`, home], SOME_USER),
        /^refused: This user may not delete Btrfs snapshots: .* without user_subvol_rm_allowed/,
      );
      assert.deepEqual(disk.current.subvolumes(), ['home']);
    });

    it('are refused for a folder that a mount separates from its subvolume', () => {
      disk.current.subvolume('home', SOME_USER);
      const project = disk.current.folderOf('home/project', SOME_USER);
      const bound = disk.current.folderOf('bound', SOME_USER);
      execFileSync('mount', ['--bind', project, bound]);
      assert.match(
        program.run(['btrfs', bound, bound, bound], SOME_USER),
        /^refused: .*can't be accessed/,
      );
    });
  });
});
