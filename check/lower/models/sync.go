//go:build ignore

package sync

import (
	"sync"

	"dsd"
)

func Mutex_Lock(m *sync.Mutex)               { _ = *m }
func Mutex_Unlock(m *sync.Mutex)             { _ = *m }
func Mutex_TryLock(m *sync.Mutex) bool       { _ = *m; return dsd.Any[bool]() }
func RWMutex_Lock(m *sync.RWMutex)           { _ = *m }
func RWMutex_Unlock(m *sync.RWMutex)         { _ = *m }
func RWMutex_RLock(m *sync.RWMutex)          { _ = *m }
func RWMutex_RUnlock(m *sync.RWMutex)        { _ = *m }
func WaitGroup_Add(w *sync.WaitGroup, n int) {}
func WaitGroup_Done(w *sync.WaitGroup)       {}
func WaitGroup_Wait(w *sync.WaitGroup)       {}
func Once_Do(o *sync.Once, f func()) {
	if dsd.Any[bool]() {
		f()
	}
}
func Pool_Get(p *sync.Pool) any {
	if p.New != nil {
		return p.New()
	}
	return nil
}
func Pool_Put(p *sync.Pool, x any) {}
