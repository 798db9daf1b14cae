// Runs before the suites: two parallel installations would block each other.
import { ensureSystemPackages } from './editor/aptPackages.ts';

ensureSystemPackages();
