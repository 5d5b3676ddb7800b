package main

import (
	"testing"
	"time"
)

func TestIndex(t *testing.T) { work(five) }

func TestSubtest(t *testing.T) {
	t.Run("of slices", func(t *testing.T) { work(five) })
}

func TestRepanicked(t *testing.T) {
	defer func() {
		if r := recover(); r != nil {
			panic(r)
		}
	}()
	work(five)
}

func TestWrapped(t *testing.T) {
	defer func() {
		if recover() != nil {
			panic("while cleaning up")
		}
	}()
	work(five)
}

func TestHang(t *testing.T) { time.Sleep(time.Hour) }

func FuzzIndex(f *testing.F) {
	f.Add(five)
	f.Fuzz(func(t *testing.T, i int) { work(i) })
}
