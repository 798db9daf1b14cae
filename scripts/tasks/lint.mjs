import { checkFormat, lint, typecheck } from '../steps.mjs';

typecheck();
lint();
checkFormat();
