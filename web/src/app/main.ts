import '@fontsource-variable/figtree/wght.css'
import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/layout.css'
import '../ui/buttons.css'
import '../ui/forms.css'
import { mount } from 'svelte'
import { initialLanguage } from '../i18n/languageChoice'
import { setLanguage } from '../i18n/index.svelte'
import { loadMeFirst } from '../session/me.svelte'
import { persistSettings } from '../session/settings.svelte'
import { applyTheme } from '../session/theme.svelte'
import App from './App.svelte'
import { installServiceWorker } from './serviceWorker.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the game')
persistSettings()
applyTheme()
await Promise.all([setLanguage(initialLanguage()), loadMeFirst()])
mount(App, { target })
// When everything visible is loaded: the cache for offline use can wait.
if (document.readyState === 'complete') void installServiceWorker()
else addEventListener('load', () => void installServiceWorker())
