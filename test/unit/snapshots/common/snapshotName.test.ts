import assert from 'node:assert/strict';
import { refNamed, snapshotName } from '../../../../src/snapshots/common/snapshotName.ts';

const SESSION = '20260131-143207-0a1b2c';

describe('the name of a snapshot', () => {
  const forms = {
    git: (name: string) => `${name}@5f2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d`,
    btrfs: (name: string) => `project-0123456789abcdef/${name}`,
    zfs: (name: string) => `ah-0123456789abcdef-${name}:home/project`,
  };

  for (const [provider, refOf] of Object.entries(forms)) {
    it(`is found in the references of ${provider}, without confusing it with others`, () => {
      const name = (id: bigint) => snapshotName(SESSION, id);
      const others = [name(12n), name(21n), `${name(1n)}-restore-5`, `x${name(1n)}`].map(refOf);
      assert.equal(refNamed(others, name(1n)), undefined);
      assert.equal(refNamed([...others, refOf(name(1n))], name(1n)), refOf(name(1n)));
    });
  }
});
