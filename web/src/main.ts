/** Starts the panel: state first, then the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import { app } from './state/app.svelte';
import './styles.css';

app.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
