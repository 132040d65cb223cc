// Starts the dashboard.

import './components/hs-app.js';
