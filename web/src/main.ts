import '@fontsource-variable/figtree/wght.css'
import './shell/theme.css'
import './shell/pages.css'
import { mount } from 'svelte'
import { wantedLanguage } from './i18n/chosen'
import { setLanguage } from './i18n/index.svelte'
import { askMeFirst } from './parts/me.svelte'
import { keepSettings } from './parts/settings.svelte'
import { showTheme } from './parts/theme.svelte'
import App from './shell/App.svelte'
import { install } from './shell/installed.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the game')
keepSettings()
showTheme()
await Promise.all([setLanguage(wantedLanguage()), askMeFirst()])
mount(App, { target })
// When everything that is looked at is there: what is kept for later can wait.
if (document.readyState === 'complete') void install()
else addEventListener('load', () => void install())
