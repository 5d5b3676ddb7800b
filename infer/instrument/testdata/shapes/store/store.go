// Package store has interfaces that others use.
package store

// Item is what a Store holds.
type Item struct{ Size int }

// Store is implemented by Map.
type Store interface {
	Put(key string, it Item, done func(error)) (replaced bool)
	Get(string) (Item, bool)
}

// Box is generic.
type Box[T any] interface{ Get() T }

// Map is a Store.
type Map map[string]Item

// Put is Store.Put.
func (m Map) Put(key string, it Item, done func(error)) (replaced bool) {
	_, replaced = m[key]
	m[key] = it
	return
}

// Get is Store.Get.
func (m Map) Get(key string) (it Item, ok bool) { it, ok = m[key]; return }

// Double is not called through the interface, and calls through it.
func Double(s Store, key string) {
	it, _ := s.Get(key)
	it.Size *= 2
	s.Put(key, it, nil)
}
