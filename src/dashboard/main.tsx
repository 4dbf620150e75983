import { render } from 'preact';
import { App } from './app.js';
import { applyTheme, readTheme } from './theme.js';

const place = document.getElementById('app');
if (place === null) throw new Error('The page has no place for the app.');
applyTheme(readTheme());
render(<App />, place);
