package roundtrip

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// Random fills a value, given by a pointer, at random.
func Random(r *rand.Rand, p any) {
	f := &filler{r: r, pool: map[reflect.Type][]reflect.Value{}}
	f.fill(reflect.ValueOf(p).Elem(), 4)
}

type filler struct {
	r *rand.Rand
	// pool has addressable values for pointers, and arrays for slices.
	pool map[reflect.Type][]reflect.Value
}

var texts = []string{"", "a", "key", "\x00\xff\n", "日本", `"quoted"`, "`back`", strings.Repeat("long ", 20)}

var floats = []float64{0, math.Copysign(0, -1), 1.5, -2, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, 5e-324}

var shapes = []func(f *filler) any{
	func(f *filler) any { return Square(2) },
	func(f *filler) any { return &Circle{float64(f.r.Intn(3))} },
}

var values = []func(f *filler) any{
	func(f *filler) any { return f.r.Intn(100) - 50 },
	func(f *filler) any { return texts[f.r.Intn(len(texts))] },
	func(f *filler) any { return Name("n") },
	func(f *filler) any { return Kind(7) },
	func(f *filler) any { return uint8(200) },
	func(f *filler) any { return 2.5 },
	func(f *filler) any { return true },
	func(f *filler) any { return Small{A: int8(f.r.Intn(9))} },
	func(f *filler) any { return [2]int8{1, int8(f.r.Intn(3))} },
	func(f *filler) any { return &Shared },
	func(f *filler) any { return 'x' },
	func(f *filler) any { return ErrKnown },
	func(f *filler) any { return complex(1, -2) },
}

func (f *filler) fill(v reflect.Value, depth int) {
	r := f.r
	if v.Kind() == reflect.Struct || v.Kind() == reflect.String || v.Kind() == reflect.Int {
		f.pool[v.Type()] = append(f.pool[v.Type()], v)
	}
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(r.Int63n(1e10), r.Int63n(1e9)).UTC()
		return
	case **big.Int:
		*x = new(big.Int).Exp(big.NewInt(r.Int63n(1000)-500), big.NewInt(r.Int63n(30)), nil)
		return
	case **strings.Builder:
		*x = nil
		return
	case *error:
		switch r.Intn(3) {
		case 0:
			*x = ErrKnown
		case 1:
			*x = fmt.Errorf("unknown %d", r.Intn(3))
		}
		return
	case *Shape:
		if r.Intn(3) > 0 {
			*x = shapes[r.Intn(len(shapes))](f).(Shape)
		}
		return
	case *func(int) int:
		if r.Intn(2) == 0 {
			*x = Double
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.Intn(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.Intn(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(floats[r.Intn(len(floats))])
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(floats[r.Intn(len(floats))], floats[r.Intn(len(floats))]))
	case reflect.String:
		v.SetString(texts[r.Intn(len(texts))])
	case reflect.Struct:
		for i := range v.NumField() {
			if x := v.Field(i); v.Type().Field(i).Name != "_" && r.Intn(4) > 0 {
				f.fill(reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem(), depth)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Interface:
		if r.Intn(4) > 0 {
			v.Set(reflect.ValueOf(values[r.Intn(len(values))](f)))
		}
	case reflect.Pointer:
		f.pointer(v, depth)
	case reflect.Slice:
		f.slice(v, depth)
	case reflect.Map:
		if r.Intn(4) == 0 {
			return
		}
		m := reflect.MakeMap(v.Type())
		for range r.Intn(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, depth-1)
			f.fill(value, depth-1)
			m.SetMapIndex(key, value)
		}
		v.Set(m)
	case reflect.Chan:
		c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), 1+r.Intn(3))
		for range r.Intn(c.Cap() + 1) {
			x := reflect.New(v.Type().Elem()).Elem()
			f.fill(x, depth-1)
			c.Send(x)
		}
		if r.Intn(3) == 0 {
			c.Close()
		}
		v.Set(c.Convert(v.Type()))
	}
}

// pointer sets a pointer to nil, a value of the pool, a variable, or a new value.
func (f *filler) pointer(v reflect.Value, depth int) {
	elem := v.Type().Elem()
	pool := f.pool[elem]
	switch n := f.r.Intn(8); {
	case n == 0 || depth <= 0 && len(pool) == 0:
	case n == 1 && elem == reflect.TypeOf(Shared):
		v.Set(reflect.ValueOf(&Shared))
	case (n < 5 || depth <= 0) && len(pool) > 0:
		v.Set(pool[f.r.Intn(len(pool))].Addr())
	default:
		p := reflect.New(elem)
		v.Set(p)
		f.fill(p.Elem(), depth-1)
	}
}

// slice sets a slice to nil, an empty one, a part of an array in the pool, or a new one.
func (f *filler) slice(v reflect.Value, depth int) {
	pool := f.pool[v.Type()]
	switch n := f.r.Intn(6); {
	case n == 0 || depth <= 0:
	case n < 3 && len(pool) > 0:
		s := pool[f.r.Intn(len(pool))]
		from := f.r.Intn(s.Len() + 1)
		to := from + f.r.Intn(s.Len()-from+1)
		v.Set(s.Slice3(from, to, to+f.r.Intn(s.Cap()-to+1)))
	default:
		size := f.r.Intn(5)
		s := reflect.MakeSlice(v.Type(), size, size+f.r.Intn(3)*f.r.Intn(2))
		v.Set(s)
		f.pool[v.Type()] = append(f.pool[v.Type()], s)
		for i := range size {
			f.fill(s.Index(i), depth-1)
		}
	}
}
