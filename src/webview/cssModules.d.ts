/** The bundler puts style sheets beside the script. */
declare module '*.css';
