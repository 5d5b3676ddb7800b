// Package page shows invariants and usage models as a page of HTML, in one file that needs no network.
//
// Files, in reading order: page.go (the page), graph.go (a model as a drawing), page.html, style.css, page.js.
package page
