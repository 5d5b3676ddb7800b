//go:build ignore

package atomic

import (
	"sync/atomic"

	"dsd"
)

func LoadInt32(p *int32) int32             { return *p }
func LoadInt64(p *int64) int64             { return *p }
func LoadUint32(p *uint32) uint32          { return *p }
func LoadUint64(p *uint64) uint64          { return *p }
func StoreInt32(p *int32, v int32)         { *p = v }
func StoreInt64(p *int64, v int64)         { *p = v }
func StoreUint32(p *uint32, v uint32)      { *p = v }
func StoreUint64(p *uint64, v uint64)      { *p = v }
func AddInt32(p *int32, d int32) int32     { *p += d; return *p }
func AddInt64(p *int64, d int64) int64     { *p += d; return *p }
func AddUint32(p *uint32, d uint32) uint32 { *p += d; return *p }
func AddUint64(p *uint64, d uint64) uint64 { *p += d; return *p }
func CompareAndSwapInt32(p *int32, old, new int32) bool {
	if *p != old {
		return false
	}
	*p = new
	return true
}
func Int32_Load(x *atomic.Int32) int32     { return *dsd.Field[int32](x, "v") }
func Int32_Store(x *atomic.Int32, v int32) { *dsd.Field[int32](x, "v") = v }
func Int32_Add(x *atomic.Int32, d int32) int32 {
	p := dsd.Field[int32](x, "v")
	*p += d
	return *p
}
func Int64_Load(x *atomic.Int64) int64     { return *dsd.Field[int64](x, "v") }
func Int64_Store(x *atomic.Int64, v int64) { *dsd.Field[int64](x, "v") = v }
func Int64_Add(x *atomic.Int64, d int64) int64 {
	p := dsd.Field[int64](x, "v")
	*p += d
	return *p
}
func Uint32_Load(x *atomic.Uint32) uint32     { return *dsd.Field[uint32](x, "v") }
func Uint32_Store(x *atomic.Uint32, v uint32) { *dsd.Field[uint32](x, "v") = v }
func Uint64_Load(x *atomic.Uint64) uint64     { return *dsd.Field[uint64](x, "v") }
func Uint64_Store(x *atomic.Uint64, v uint64) { *dsd.Field[uint64](x, "v") = v }
func Bool_Load(x *atomic.Bool) bool {
	return *dsd.Field[uint32](x, "v") != 0
}
func Bool_Store(x *atomic.Bool, v bool) {
	p := dsd.Field[uint32](x, "v")
	*p = 0
	if v {
		*p = 1
	}
}
