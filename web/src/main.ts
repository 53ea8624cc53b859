import '@fontsource-variable/figtree/wght.css'
import './styles/theme.css'
import { mount } from 'svelte'
import App from './App.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the game')
mount(App, { target })
