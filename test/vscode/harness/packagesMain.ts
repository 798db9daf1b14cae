// Run before the suites, which run two at a time: two that install at once keep each other from it.
import { ensureSystemPackages } from './aptPackages.ts';

ensureSystemPackages();
