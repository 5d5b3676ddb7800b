// Package maporder makes the order in which a testee ranges over its maps the same each time, as
// far as keys have an order. Go leaves that order open and draws a new one for each loop, so that
// otherwise no two searches, and no two looks at one test, would see the same.
//
// Ranges rewrites the loops of a function in a copy of the testee:
//
//	for k, v := range m { body }
//	for _, _dsd_entry := range Entries(m) {
//		k, v, _dsd_ok := _dsd_entry.Get(); if !_dsd_ok { continue }; { body }
//	}
//
// Entries is a function of the virtual package that Files returns. Loops that cannot be rewritten
// are left alone, and so is what other packages do, such as reflect and maps.
package maporder
