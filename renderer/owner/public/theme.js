// Runs before anything is painted, so that a dark room stays dark.
try {
  const theme = localStorage.getItem('galley-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage that is forbidden: the system's colours will do.
}
