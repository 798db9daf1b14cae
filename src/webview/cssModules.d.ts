/** The bundler writes imported style sheets to a file beside the script. */
declare module '*.css';
