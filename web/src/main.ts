import '@fontsource-variable/figtree/wght.css'
import './styles/theme.css'
import './styles/pages.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { wantedLanguage } from './app/language'
import { keepSettings } from './app/settings.svelte'
import { setLanguage } from './i18n/index.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the game')
keepSettings()
await setLanguage(wantedLanguage())
mount(App, { target })
