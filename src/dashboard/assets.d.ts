/** The bundler takes styles up by their import. */
declare module '*.css';
