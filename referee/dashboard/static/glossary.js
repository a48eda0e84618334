// How does the glossary get onto paper?

import "./rules.js";
